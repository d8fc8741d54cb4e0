import { Sakmak } from "sakmak";

const sakmak = await Sakmak.start();
const answer = await sakmak.position("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21");
console.log(answer.category, answer.moves[0].san); // win Md2
