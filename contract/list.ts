import { type Static, type TSchema, Type } from "typebox";
import { pageLimit } from "./list-constants.ts";
import { Timestamp } from "./nullable.ts";

/**
 * For queries and bodies that select what is listed, sent or deleted: names that are not in the schema are refused.
 * A misspelt filter that is ignored means "everything".
 */
export const closed = { additionalProperties: false } as const;

/** When rows were created: the same words in every list, and in what selects by the filter of a list. */
export const createdFilter = {
  created_after: Type.Optional(Timestamp),
  created_before: Type.Optional(Timestamp),
};

/** `after`/`before` are the ids of the last or first row already seen; newest first. Keyset paging, never offsets. */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: pageLimit.min, maximum: pageLimit.max, default: pageLimit.default }),
    ),
    after: Type.Optional(Type.String()),
    before: Type.Optional(Type.String()),
    ...createdFilter,
  },
  closed,
);
export type PageQuery = Static<typeof PageQuery>;

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
  });
}

export interface List<Item> {
  object: "list";
  data: Item[];
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
}

export const Deleted = Type.Object({ id: Type.String(), object: Type.String(), deleted: Type.Literal(true) });
export type Deleted = Static<typeof Deleted>;
