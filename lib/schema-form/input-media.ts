import { isObject } from "./json.ts";
import { mediaValueOf } from "./media-value.ts";

/** Media occur at most inside lists of objects, or in parts of messages. */
const maxDepth = 6;

/** Up to `most` texts of an input that refer to files of this gateway or contain a file. */
export function mediaIn(input: unknown, baseUrl: string, max: number): string[] {
  const found: string[] = [];
  const look = (value: unknown, depth: number) => {
    if (found.length === max || depth > maxDepth) return;
    if (typeof value === "string") {
      const { source } = mediaValueOf(value, baseUrl);
      if (source !== "url" && source !== "other") found.push(value);
    } else if (Array.isArray(value)) for (const item of value) look(item, depth + 1);
    else if (isObject(value)) for (const item of Object.values(value)) look(item, depth + 1);
  };
  look(input, 0);
  return found;
}
