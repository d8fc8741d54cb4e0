// The page in place of an atlas that the service does not have.

import { openPage } from "./head.js";

await openPage();
