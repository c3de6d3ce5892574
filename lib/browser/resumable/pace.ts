/** Only the last seconds count: connections change, and the rate before a break means nothing. */
const windowMs = 10_000;
/** With less data the rate would jump. */
const minMs = 1_000;

/** Upload rate in the last seconds. */
export class Pace {
  private samples: { at: number; bytes: number }[] = [];

  /**
   * Records the total of bytes sent at a time in ms; a smaller total than before starts a new measurement.
   */
  note(bytes: number, at: number): void {
    const last = this.samples.at(-1);
    if (last && bytes < last.bytes) this.samples = [];
    this.samples.push({ at, bytes });
    while ((this.samples[0]?.at ?? at) < at - windowMs) this.samples.shift();
  }

  /** Starts a new measurement after a break. */
  restart(): void {
    this.samples = [];
  }

  /** Null while there is too little data. */
  get bytesPerSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < minMs) return null;
    return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  }
}
