import type { Output } from "#contract/outputs.ts";

/** The playground of the operation that made a kept output, filled with its input; null where that is not known. */
export function runAgainHref({ id, model, kept }: Pick<Output, "id" | "model" | "kept">): string | null {
  if (!kept?.api_type) return null;
  const path = model.split("/").map(encodeURIComponent).join("/");
  return `/playground/${path}/${kept.api_type}?from=${id}`;
}
