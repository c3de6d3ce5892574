/** Labels have few values, but nobody has promised it. */
const most = 2_000;

type Branch<Value> = Map<unknown, Branch<Value> | Value>;

/**
 * Objects that are made once of the words that tell them apart, always as many: a figure is found by its labels' object. Words are
 * looked up one after the other, since a text made of them would have to be hashed each time.
 */
export class MadeOnce<Value> {
  private root: Branch<Value> = new Map();
  private size = 0;

  of(words: readonly unknown[], make: () => Value): Value {
    let branch = this.root;
    const last = words.length - 1;
    for (let place = 0; place < last; place += 1) {
      let next = branch.get(words[place]) as Branch<Value> | undefined;
      if (!next) {
        next = new Map();
        branch.set(words[place], next);
      }
      branch = next;
    }
    const known = branch.get(words[last]) as Value | undefined;
    if (known !== undefined) return known;
    const value = make();
    branch.set(words[last], value);
    this.size += 1;
    if (this.size > most) this.forgetAll();
    return value;
  }

  private forgetAll(): void {
    this.root = new Map();
    this.size = 0;
  }
}
