// Prints the result of a position and all moves, best first.
// usage: client.mjs ADDRESS FEN

const [address, fen] = process.argv.slice(2);
const query = new URLSearchParams({ fen, line: "false" });
const response = await fetch(`${address}/makruk?${query}`);
const answer = await response.json();
if (!response.ok) throw new Error(answer.error.message);
console.log(answer.category, answer.dtm);
for (const move of answer.moves) {
  console.log(move.san, move.category);
}
