// Questions to the service.

/** An answer that is an error: its status, its code and message, and what else it tells. */
export class ServiceError extends Error {
  constructor(status, { code = "internal", message = "", ...rest } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.missing = rest.missing;
  }
}

/** The times a question is asked again while the service is busy, and the seconds between. */
const TRIES = 30;
const PAUSE = 1;

/** Spaces of a FEN may be underscores, which addresses show as they are. */
const underscored = (fen) => fen.replaceAll(" ", "_");

/** A value of a parameter. A slash needs no code there; a plus does, or it is read as a space. */
const encoded = (value) => encodeURIComponent(value).replaceAll("%2F", "/");

/** A FEN as the value of a parameter of an address. */
export const inAddress = (fen) => encoded(underscored(fen));

function address(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  const query = given.map(([name, value]) => `${name}=${encoded(value)}`);
  return query.length ? `${path}?${query.join("&")}` : path;
}

/** Asks for JSON. While the service is busy, for instance with a table, the question is repeated. */
export async function ask(path, parameters = {}, signal = undefined) {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(address(path, parameters), { signal });
    if (answer.ok) return answer.json();
    const body = await answer.json().catch(() => ({}));
    const busy = answer.status === 503 || answer.status === 429;
    if (!busy || tries === TRIES) throw new ServiceError(answer.status, body.error);
    const pause = Number(answer.headers.get("Retry-After")) || PAUSE;
    await new Promise((ready) => setTimeout(ready, 1000 * pause));
    signal?.throwIfAborted();
  }
}

/**
 * The answer for a position. A question has a FEN; it may have a counting rule, and a count in
 * moves: called, counter.
 */
export const askPosition = (variant, { fen, ...rest }, signal) =>
  ask(`/${variant}`, { fen: underscored(fen), ...rest }, signal);

/** Best play from a position, with the question as above. */
export const askLine = (variant, { fen, ...rest }, signal) =>
  ask(`/${variant}/mainline`, { fen: underscored(fen), ...rest }, signal);

export const askVariants = () => ask("/variants");
