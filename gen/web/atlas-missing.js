// The page in place of an atlas that the service does not have.

import { openPage } from "./head.js";

const COMMANDS = ["sakmak report TABLES -o ATLAS", "sakmak serve --tables TABLES --atlas ATLAS"];

await openPage();
document.getElementById("commands").textContent = COMMANDS.join("\n");
