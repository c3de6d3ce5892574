import { byName } from "#contract/by-name.ts";

/** The shorter side in pixels. */
const shortSides = byName<number>({
  "480P": 480,
  "720P": 720,
  "1080P": 1080,
  "2K": 1440,
  "4K": 2160,
});

/** `WxH` for a resolution tier and an aspect ratio, in even numbers; null if the caller gave no tier. */
export function frameSize({ resolution, ratio }: Record<string, unknown>): string | null {
  const short = shortSides[String(resolution)];
  if (short === undefined) return null;
  const [across = 16, down = 9] = (/^(\d+):(\d+)$/.exec(String(ratio))?.slice(1) ?? []).map(Number);
  const scale = short / Math.min(across, down);
  const even = (side: number) => Math.round((side * scale) / 2) * 2;
  return `${even(across)}x${even(down)}`;
}
