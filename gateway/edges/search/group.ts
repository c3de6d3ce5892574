import type { Permission } from "#contract/accounts/permissions.ts";
import type { List } from "#contract/list.ts";
import type { Found, FoundKind } from "#contract/search.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";

/** A search in one group: at most `limit` rows, and whether there are more. */
export interface Sought {
  search: string;
  limit: number;
}

export interface FoundRows {
  data: Found[];
  has_more: boolean;
}

/** One kind of search result, found with the query of its list. */
export interface Group {
  kind: FoundKind;
  /** `anyone`: every credential may search this group. */
  permission: Permission | "operator" | "anyone";
  find: (context: Context, actor: Actor, sought: Sought) => Promise<FoundRows>;
}

/** Turns a page of a list into results of a search. */
export function fromList<Row>(
  { data, has_more }: Pick<List<Row>, "data" | "has_more">,
  found: (row: Row) => Found,
): FoundRows {
  return { data: data.map(found), has_more };
}

/** The first rows of a list that is completely in memory. */
export function firstOf(found: readonly Found[], limit: number): FoundRows {
  return { data: found.slice(0, limit), has_more: found.length > limit };
}
