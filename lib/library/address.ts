import type { Output } from "#contract/outputs.ts";

/** Opens the input of a kept output in the playground of its operation; null if the operation is unknown. */
export function runAgainHref({ id, model, kept }: Pick<Output, "id" | "model" | "kept">): string | null {
  if (!kept?.api_type) return null;
  const path = model.split("/").map(encodeURIComponent).join("/");
  return `/playground/${path}/${kept.api_type}?from=${id}`;
}
