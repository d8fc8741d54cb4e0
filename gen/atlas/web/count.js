// The count as a player enters it: it starts here, a side has called a number, or nobody counts.

import { sideName } from "./pieces.js";

/** `onChange(choice)`: { kind: "start" }, { kind: "called", called, counter } or { kind: "none" }. */
export class CountChoice {
  constructor(form, language, onChange) {
    this.form = form;
    this.fields = form.elements;
    for (const side of ["white", "black"]) this.fields.counter.append(new Option(sideName(language, side), side));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", ({ target }) => {
      if (target.name === "called" || target.name === "counter") this.fields.count.value = "called";
      const kind = this.fields.count.value;
      if (kind === "called" && this.fields.called.value === "") this.fields.called.focus();
      else onChange(this.choice);
    });
  }

  get choice() {
    const kind = this.fields.count.value;
    if (kind !== "called") return { kind };
    return { kind, called: this.fields.called.valueAsNumber, counter: this.fields.counter.value };
  }

  /** Shows the count of an answer; `counted` is false if nobody counts. */
  show(count, counted) {
    const running = count?.running ?? false;
    this.fields.count.value = counted ? (running ? "called" : "start") : "none";
    this.fields.called.value = running ? count.called : "";
    if (count) {
      this.fields.counter.value = count.runner;
      this.fields.called.max = count.limit;
    }
  }
}
