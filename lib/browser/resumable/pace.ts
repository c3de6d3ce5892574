/** The rate is that of the last seconds: a line changes, and what was before a cut says nothing. */
const windowMs = 10_000;
/** Earlier it would jump. */
const leastMs = 1_000;

/** How fast bytes go, from what was sent when. */
export class Pace {
  private samples: { at: number; bytes: number }[] = [];

  /** Notes how many bytes were sent in all, at a time in ms; fewer than before begin a new measurement. */
  note(bytes: number, at: number): void {
    const last = this.samples.at(-1);
    if (last && bytes < last.bytes) this.samples = [];
    this.samples.push({ at, bytes });
    while ((this.samples[0]?.at ?? at) < at - windowMs) this.samples.shift();
  }

  /** Begins anew, after a break. */
  restart(): void {
    this.samples = [];
  }

  /** Null while too little is known. */
  get bytesPerSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < leastMs) return null;
    return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  }
}
