import { nearestName } from "#contract/nearest-name.ts";
import type { SearchParams } from "./page-props.ts";

/** Paging parameters, which every list has. */
const place = ["after", "before"];

/** The filters of a page. A plain name is a filter that accepts any text, which the gateway may refuse. */
type Known = Record<string, { parse: (text: string) => unknown } | string>;

/** Query parameters of a page that filter nothing, one sentence for each. */
export function ignoredFilters(given: SearchParams, known: Known): string[] {
  const names = Object.keys(known);
  return Object.entries(given).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value[0] : value;
    if (!text || place.includes(name)) return [];
    const filter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (typeof filter === "string") return [];
    if (filter)
      return filter.parse(text) === null
        ? [`The filter “${name}” does not have the value “${text}”, so it is ignored.`]
        : [];
    const meant = nearestName(name, names);
    return [`This page has no filter “${name}”.${meant ? ` Did you mean “${meant}”?` : ""}`];
  });
}
