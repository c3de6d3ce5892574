import { waveformBars } from "../limits.ts";

/** Splits a sound into as many parts as a waveform has bars, and finds the loudest sample of each. */
export class Peaks {
  readonly values = new Float32Array(waveformBars);
  private readonly total: number;
  private heard = 0;

  /** For a sound with this many samples. */
  constructor(total: number) {
    this.total = Math.max(1, total);
  }

  /** Adds the next samples; `loudest`: the value of full loudness, if samples are whole numbers. */
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
