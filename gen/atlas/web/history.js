// The positions gone through, to go back and forth in.

export class History {
  constructor(first) {
    this.steps = [first];
    this.at = 0;
  }

  get now() {
    return this.steps[this.at];
  }

  get hasPast() {
    return this.at > 0;
  }

  get hasFuture() {
    return this.at + 1 < this.steps.length;
  }

  /** Goes on to a new step; steps that were taken back are gone. */
  push(step) {
    this.steps = [...this.steps.slice(0, this.at + 1), step];
    this.at += 1;
  }

  /** Another step in place of this one. */
  replace(step) {
    this.steps[this.at] = step;
  }

  back() {
    if (this.hasPast) this.at -= 1;
  }

  forth() {
    if (this.hasFuture) this.at += 1;
  }
}
