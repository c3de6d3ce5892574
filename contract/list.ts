import { type Static, type TSchema, Type } from "typebox";
import { Counted } from "./counted.ts";
import { pageLimit } from "./list-constants.ts";
import { Timestamp } from "./nullable.ts";
import { searchLimits } from "./search-words.ts";

/**
 * For queries and bodies that select rows to list, send or delete: unknown names are refused, because an
 * ignored misspelt filter would mean "everything".
 */
export const closed = { additionalProperties: false } as const;

/** Filters by creation time: the same names in every list and in every body that takes a list's filter. */
export const createdFilter = {
  created_after: Type.Optional(Timestamp),
  created_before: Type.Optional(Timestamp),
};

/**
 * `after`/`before` are the ids of the last or first row already seen; newest first. Keyset paging, never
 * offsets.
 */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: pageLimit.min, maximum: pageLimit.max, default: pageLimit.default }),
    ),
    after: Type.Optional(Type.String()),
    before: Type.Optional(Type.String()),
    count: Type.Optional(
      Type.Boolean({ description: "`true`: the answer has `total`, whatever page of the list it is" }),
    ),
    ...createdFilter,
  },
  closed,
);
export type PageQuery = Static<typeof PageQuery>;

/** For lists with a search by words. */
export const SearchFilter = Type.String({
  maxLength: searchLimits.length,
  description: `words in any order, without case, each a part of what is found; the newest ${searchLimits.rows} of the account are searched`,
});

/** The query of a list with pages and a search by words, without other filters. */
export const SearchedPageQuery = Type.Interface([PageQuery], { search: Type.Optional(SearchFilter) }, closed);
export type SearchedPageQuery = Static<typeof SearchedPageQuery>;

/** The query of a list that has no pages and no filters. */
export const NoQuery = Type.Object({}, closed);

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
            "of all that the filters leave; absent without `count`, and where counting took too long",
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
