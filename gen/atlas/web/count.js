// The count as a player enters it: it starts here, a side has called a number, or nobody counts.

import { sideName } from "./pieces.js";

export class CountChoice {
  /**
   * `onChange(choice, isTyped)`: { kind: "start" }, { kind: "called", called, counter } or
   * { kind: "none" }; `isTyped` while a number is being typed. `onOver(limit)`: the number is too high.
   */
  constructor(form, language, { onChange, onOver }) {
    this.form = form;
    this.fields = form.elements;
    this.onChange = onChange;
    this.onOver = onOver;
    for (const side of ["white", "black"]) this.fields.counter.append(new Option(sideName(language, side), side));
    form.addEventListener("submit", (event) => event.preventDefault());
    this.fields.called.addEventListener("focus", () => (this.fields.count.value = "called"));
    this.fields.called.addEventListener("input", () => {
      this.fields.count.value = "called";
      this.#chosen(true);
    });
    form.addEventListener("change", ({ target }) => {
      if (target === this.fields.counter) this.fields.count.value = "called";
      // What was typed is counted already.
      if (target === this.fields.called) this.onChange(null, false);
      else this.#chosen(false);
    });
  }

  get choice() {
    const kind = this.fields.count.value;
    if (kind !== "called") return { kind };
    return { kind, called: this.fields.called.valueAsNumber, counter: this.fields.counter.value };
  }

  #chosen(isTyped) {
    const { choice } = this;
    const { called } = this.fields;
    if (choice.kind === "called" && called.value === "") called.focus();
    else if (choice.kind === "called" && called.max && choice.called > Number(called.max)) this.onOver(Number(called.max));
    else this.onChange(choice, isTyped);
  }

  /** Shows the count of an answer; `counted` is false if nobody counts. */
  show(count, counted) {
    const { fields } = this;
    const running = count?.running ?? false;
    const isTyping = document.activeElement === fields.called;
    if (!isTyping) {
      fields.count.value = counted ? (running ? "called" : "start") : "none";
      fields.called.value = running ? count.called : "";
    }
    // What cannot be is not offered: a number where nothing is counted, and a side that may not count.
    for (const field of [fields.called, fields.counter, fields.count[1]]) field.disabled = !count;
    if (!count) return;
    fields.counter.value = count.runner;
    // The pieces' honour is counted by the bare king alone.
    const isOne = count.rule === "pieces-honour";
    for (const option of fields.counter.options) option.disabled = isOne && option.value !== count.runner;
    fields.called.max = count.limit;
  }
}
