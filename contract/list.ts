import { type Static, type TSchema, Type } from "typebox";
import { pageLimit } from "./list-constants.ts";
import { searchLimits } from "./search-words.ts";

/** `item` or null. In answers, a field without a value is null, never missing. */
export function Nullable<Item extends TSchema>(item: Item) {
  return Type.Union([item, Type.Null()]);
}

/** RFC 3339 UTC, e.g. `2026-11-20T10:00:00.000Z`. */
export const Timestamp = Type.String({ format: "date-time" });

/**
 * For queries and bodies that select rows to list, send or delete. Unknown names are refused, because a
 * misspelt filter that is ignored would select everything.
 */
export const closed = { additionalProperties: false } as const;

/** Filters by creation time, the same in every list and in every body with a list's filter. */
export const createdFilter = {
  created_after: Type.Optional(Timestamp),
  created_before: Type.Optional(Timestamp),
};

/**
 * `after` and `before` are the ids of the last or first row that the client has. Lists are newest first and
 * use keyset paging, never offsets.
 */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: pageLimit.min, maximum: pageLimit.max, default: pageLimit.default }),
    ),
    after: Type.Optional(Type.String()),
    before: Type.Optional(Type.String()),
    count: Type.Optional(Type.Boolean({ description: "`true`: the answer contains `total` on every page" })),
    ...createdFilter,
  },
  closed,
);
export type PageQuery = Static<typeof PageQuery>;

/** The search of a list by words. */
export const SearchFilter = Type.String({
  maxLength: searchLimits.length,
  description: `words in any order and case; a row matches when its text contains all of them. The account's newest ${searchLimits.rows} rows are searched`,
});

/** The query of a list with pages and a search by words, without other filters. */
export const SearchedPageQuery = Type.Interface([PageQuery], { search: Type.Optional(SearchFilter) }, closed);
export type SearchedPageQuery = Static<typeof SearchedPageQuery>;

/** The query of a list that has no pages and no filters. */
export const NoQuery = Type.Object({}, closed);

/** Rows of large lists are counted only up to this number. */
export const maxCounted = 10_000;

export const Counted = Type.Object({
  count: Type.Integer({ minimum: 0, maximum: maxCounted }),
  more: Type.Boolean({
    description: `true when more than ${maxCounted} rows match; \`count\` is then a minimum`,
  }),
});
export type Counted = Static<typeof Counted>;

/** The schema of a list of `item`. */
export function ListOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    object: Type.Literal("list"),
    data: Type.Array(item),
    has_more: Type.Boolean(),
    first_id: Type.Union([Type.String(), Type.Null()]),
    last_id: Type.Union([Type.String(), Type.Null()]),
    total: Type.Optional(
      Type.Interface(
        [Counted],
        {},
        {
          description:
            "number of all rows that match the filters; absent without `count`, or when counting took too long",
        },
      ),
    ),
  });
}

export interface List<Item> {
  object: "list";
  data: Item[];
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
  total?: Counted;
}

export const Deleted = Type.Object({ id: Type.String(), object: Type.String(), deleted: Type.Literal(true) });
export type Deleted = Static<typeof Deleted>;

/** The answer of a deletion. */
export function deleted(object: string, id: string): Deleted {
  return { id, object, deleted: true };
}
