import { nearestName } from "#contract/nearest-name.ts";
import type { SearchParams } from "./page-props.ts";

/** Names of the place in a list, which every list knows. */
const place = ["after", "before"];

/** The filters of a page: an empty text where any text is a value, which the gateway may refuse. */
type Known = Record<string, { parse: (text: string) => unknown } | string>;

/** What stands in a page's address and does not filter the page, each in a sentence. */
export function ignoredFilters(given: SearchParams, known: Known): string[] {
  const names = Object.keys(known);
  return Object.entries(given).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value[0] : value;
    if (!text || place.includes(name)) return [];
    const filter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (typeof filter === "string") return [];
    if (filter) return filter.parse(text) === null ? [`The filter “${name}” has no value “${text}”.`] : [];
    const meant = nearestName(name, names);
    return [`This page has no filter “${name}”.${meant ? ` Did you mean “${meant}”?` : ""}`];
  });
}
