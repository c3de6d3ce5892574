import type { CSSProperties } from "react";

/**
 * Reserves the space of an image or video while it loads, so that the page does not jump. The space has the
 * file's aspect ratio and is no larger than the file, its container and `maxHeight`. In pixels; empty if the
 * gateway does not know the size.
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

/** The frame in which an image lies over another one, whatever their own sizes. */
export function comparedSize({
  width,
  height,
}: {
  width: number | null;
  height: number | null;
}): CSSProperties {
  return {
    aspectRatio: width && height ? `${width} / ${height}` : "4 / 3",
    width: "100%",
    minHeight: "10rem",
    maxHeight: "60vh",
  };
}
