import type { MaxLine } from "#gateway/billing/prices/price-lines.ts";

/** The fields of the body that determine a price. A missing field can have any value. */
export function priceFacts(body: Record<string, unknown>, durationSeconds: number | null): MaxLine["facts"] {
  return {
    resolution: wordOf(body.resolution),
    size: sizeOf(body),
    quality: wordOf(body.quality),
    durationSeconds,
  };
}

/** In pixels; an aspect ratio such as `16:9` may have any size. */
function sizeOf({ size, width, height }: Record<string, unknown>): string | undefined {
  if (typeof width === "number" && typeof height === "number") return `${width}x${height}`;
  const sides = typeof size === "string" ? /^(\d{2,5})[x*](\d{2,5})$/.exec(size) : null;
  return sides ? `${sides[1]}x${sides[2]}` : undefined;
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "auto" ? value : undefined;
}
