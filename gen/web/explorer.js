// The explorer: a board on which anything can be set up.

import { Board } from "./board.js";
import { Position } from "./fen.js";
import { openPage } from "./head.js";

const EXAMPLE = "8/8/8/4k3/8/4K3/4S3/4M3 w";

const language = await openPage();
const board = new Board(document.querySelector("#board"), { language });
board.show({ men: Position.parse(new URLSearchParams(location.search).get("fen") ?? EXAMPLE).men });
