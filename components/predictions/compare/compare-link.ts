/** More predictions would not fit side by side. */
export const maxCompared = 4;

/** The comparison of these predictions, in this order, without duplicates. */
export function compareHref(ids: readonly string[]): string {
  const kept = [...new Set(ids)].slice(0, maxCompared);
  return `/predictions/compare?ids=${kept.map(encodeURIComponent).join(",")}`;
}
