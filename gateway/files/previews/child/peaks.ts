import { waveformBars } from "../limits.ts";

/** The loudest moment in each of as many parts of a sound as a waveform has bars. */
export class Peaks {
  readonly values = new Float32Array(waveformBars);
  private readonly total: number;
  private heard = 0;

  /** Of a sound of so many samples. */
  constructor(total: number) {
    this.total = Math.max(1, total);
  }

  /** The next samples; `loudest` is one if they are whole numbers. */
  add(samples: Float32Array | Int16Array, loudest = 1): void {
    const { values, total } = this;
    for (const sample of samples) {
      const bar = Math.min(waveformBars - 1, Math.floor((this.heard / total) * waveformBars));
      const value = Math.abs(sample) / loudest;
      if (value > (values[bar] ?? 0)) values[bar] = value;
      this.heard += 1;
    }
  }
}
