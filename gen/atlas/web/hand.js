// The man that is picked up: by pointer, where a drag and two taps do the same, or by keyboard.

/** Pixels that a pointer moves before a tap is a drag. */
const DRAG = 5;

export class Hand {
  /** `events.move(x, y)`, `events.drop(x, y)` and `events.stay()` report a drag and its end. */
  constructor(events) {
    this.events = events;
    this.man = null;
    this.stop = () => {};
  }

  /** Holds a man: its letter, and the square it is from or null. */
  hold(letter, from) {
    this.letGo();
    this.man = { letter, from };
  }

  letGo() {
    this.stop();
    this.man = null;
  }

  /** Follows the pointer that picked the man up. */
  follow(event) {
    const { pointerId, clientX, clientY } = event;
    let drags = false;
    const ended = new AbortController();
    const options = { signal: ended.signal };
    this.stop = () => ended.abort();
    const mine = (action) => (other) => other.pointerId === pointerId && action(other);
    const move = ({ clientX: x, clientY: y }) => {
      drags ||= Math.hypot(x - clientX, y - clientY) > DRAG;
      if (drags) this.events.move(x, y);
    };
    const up = ({ clientX: x, clientY: y }) => {
      this.stop();
      if (drags) this.events.drop(x, y);
      else this.events.stay();
    };
    addEventListener("pointermove", mine(move), options);
    addEventListener("pointerup", mine(up), options);
    addEventListener("pointercancel", mine(() => this.events.cancel()), options);
  }
}
