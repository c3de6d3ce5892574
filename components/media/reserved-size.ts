import type { CSSProperties } from "react";

/**
 * Holds the place of an image or a film that has not loaded yet, so that nothing jumps: its own shape, no larger than
 * itself, its container and `maxHeight`. Pixels; nothing where the gateway does not say them.
 */
export function reservedSize(
  width: number | null,
  height: number | null,
  maxHeight: "60vh" | "20rem",
): CSSProperties | undefined {
  if (!width || !height) return undefined;
  const shape = width / height;
  return {
    aspectRatio: `${width} / ${height}`,
    width: `min(100%, ${width}px, calc(${maxHeight} * ${shape.toFixed(4)}))`,
  };
}
