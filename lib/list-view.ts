import type { PageQuery } from "#contract/list.ts";
import type { Key } from "../messages/words.ts";
import type { SearchParams } from "./page-props.ts";

/** The time filter of a list, in the form of its URL. An empty string does not filter. */
export interface TimeFilter {
  /** A key of `spans`, or an empty string. */
  since: string;
  /** RFC 3339 times. Links and the time fields set them; they take precedence over `since`. */
  created_after: string;
  created_before: string;
}

const hourMs = 3_600_000;

/** Spans up to now. The label is a message of `ui`, and people may type the words. */
export const spans: ReadonlyMap<string, { label: Key<"ui"> & `last${string}`; words: string; ms: number }> =
  new Map([
    ["1h", { label: "last1h", words: "last hour", ms: hourMs }],
    ["24h", { label: "last24h", words: "last 24 hours", ms: 24 * hourMs }],
    ["7d", { label: "last7d", words: "last 7 days", ms: 7 * 24 * hourMs }],
  ]);

/**
 * The start of a relative time span is rounded down to this, so that the query stays the same for a while.
 */
const spanStepMs = 60_000;

/** The time bounds in the form that the gateway's lists accept. */
export function timeBounds(
  { since, created_after, created_before }: TimeFilter,
  nowMs: number,
): { created_after?: string; created_before?: string } {
  const span = spans.get(since);
  const start = span
    ? new Date(Math.floor((nowMs - span.ms) / spanStepMs) * spanStepMs).toISOString()
    : undefined;
  const after = created_after || start;
  return { ...(after && { created_after: after }), ...(created_before && { created_before }) };
}

const rowsPerPage = 50;
const times = ["since", "created_after", "created_before"] as const;

type TimeName = (typeof times)[number];
type PlaceName = "after" | "before";

/**
 * Filters and page position of a list, in the form of its URL and with the gateway's names. An empty string
 * does not filter.
 */
export type ListView<Name extends string> = Record<Name | TimeName | PlaceName, string>;

/**
 * The filters for the gateway's query. An address may contain anything; the gateway refuses unknown values.
 */
type Filter<Name extends string> = Partial<Record<Name | "created_after" | "created_before", string>>;

/**
 * Derives a list's URL, query and links from the names of its filters and the time. `translate` is for lists
 * with a query that differs from their URL.
 */
export function listView<const Name extends string, Translated extends object = Filter<Name>>(
  names: readonly Name[],
  translate?: (filter: Filter<Name>) => Translated,
) {
  const filters = [...names, ...times];
  const empty = Object.fromEntries([...filters, "after", "before"].map((name) => [name, ""]));
  const isSet = (view: ListView<Name>) => (name: Name | TimeName) => view[name] !== "";
  const chosen = (view: ListView<Name>, among: readonly (Name | TimeName)[]) =>
    among.filter(isSet(view)).map((name) => [name, view[name]]);
  /** The filters without the page position. */
  const filterOf = (view: ListView<Name>, nowMs: number): Translated => {
    const filter = { ...Object.fromEntries(chosen(view, names)), ...timeBounds(view, nowMs) };
    return translate ? translate(filter as Filter<Name>) : (filter as Translated);
  };
  return {
    /** A list without filters, on its newest page. */
    empty: empty as ListView<Name>,
    /** The view that an address describes. */
    viewOf: (search: SearchParams): ListView<Name> => {
      const given = Object.keys(empty).map((name) => [name, [search[name] ?? ""].flat()[0]]);
      return Object.fromEntries(given);
    },
    filterOf,
    /** The query for the view's page. */
    queryOf: (view: ListView<Name>, nowMs: number): Translated & PageQuery => ({
      ...filterOf(view, nowMs),
      limit: rowsPerPage,
      ...(view.after ? { after: view.after } : view.before ? { before: view.before } : {}),
    }),
    /** `?status=failed&…` for links, without the page position. Empty if no filter is set. */
    searchOf: (view: ListView<Name>): string => {
      const entries = chosen(view, filters);
      return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
    },
    /** The number of filters that are set. The time counts as one. */
    countOf: (view: ListView<Name>): number =>
      names.filter(isSet(view)).length + (times.some(isSet(view)) ? 1 : 0),
  };
}

/** The view type of a list made by `listView`. */
export type ViewOf<List extends { empty: object }> = List["empty"];
/** The names of the list's filters, except the time. */
export type FilterNameOf<List extends { empty: object }> = Exclude<keyof List["empty"], TimeName | PlaceName>;
