import type { Words } from "../../messages/words.ts";

/** Where a region is, for a region that this release knows. */
export function placeOf(t: Words<"status">, { id, name }: { id: string; name: string }): string {
  const known = `place.${id.replaceAll("-", "_")}`;
  return t.has(known) ? t.text(known) : name;
}
