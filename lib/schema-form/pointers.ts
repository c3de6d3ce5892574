/** Splits a JSON pointer: `/media/0/url`. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .replace(/^#/, "")
    .split("/")
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerOf(segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** The value at the segments. Undefined if the path does not exist. */
export function valueAt(root: unknown, segments: readonly string[]): unknown {
  let value = root;
  for (const segment of segments) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

/** The id of the element that edits the value at `pointer`. Links in error messages use it. */
export function fieldId(pointer: string): string {
  return ["field", ...segmentsOf(pointer)].join("-");
}
