import { useEffect, useState } from "react";
import { Sakmak } from "sakmak";

const started = Sakmak.start();

export function Verdict({ fen, variant = "makruk" }) {
  const [text, setText] = useState("");
  useEffect(() => {
    let current = true;
    const show = (text) => current && setText(text);
    setText("…");
    started
      .then((sakmak) => sakmak.position(fen, { variant, line: false }))
      .then(({ category, moves }) => show(`${category}: ${moves[0]?.san ?? "the game is over"}`))
      .catch((error) => show(error.message));
    return () => (current = false);
  }, [fen, variant]);
  return <output>{text}</output>;
}
