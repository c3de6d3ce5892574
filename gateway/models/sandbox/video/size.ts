import { byName } from "#contract/by-name.ts";

/** A video's size in pixels and its length. */
export interface Frame {
  width: number;
  height: number;
  seconds: number;
}

/** The short side of each resolution tier. */
export const tierShortSide = byName<number>({
  "480P": 480,
  "720P": 720,
  "1080P": 1080,
  "2K": 1440,
  "4K": 2160,
});

const widescreen = 16 / 9;

/** An even number of pixels. */
export function even(value: number): number {
  return Math.max(2, Math.round(value / 2) * 2);
}

/** The frame of a tier: its short side times the ratio, both sides even. 480P in 16:9 is 854x480. */
export function frameOf(shortSide: number, ratio: number): { width: number; height: number } {
  const near = (other: number) => Math.abs(ratio / other - 1) < 0.004;
  const exact = near(widescreen) ? widescreen : near(1 / widescreen) ? 1 / widescreen : ratio;
  return exact >= 1
    ? { width: even(shortSide * exact), height: even(shortSide) }
    : { width: even(shortSide), height: even(shortSide / exact) };
}
