import { setBounded } from "#gateway/core/set-bounded.ts";

/** Labels have few values, but nobody has promised it. */
const most = 2_000;

/** Objects that are made once of the words that tell them apart: a figure is found by its labels' object. */
export class MadeOnce<Value> {
  private readonly made = new Map<string, Value>();

  of(words: string, make: () => Value): Value {
    const known = this.made.get(words);
    if (known !== undefined) return known;
    const value = make();
    setBounded(this.made, words, value, most);
    return value;
  }
}
