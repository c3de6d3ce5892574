import type { Permission } from "#contract/accounts/permissions.ts";
import type { Destination } from "#contract/copies.ts";
import type { List } from "#contract/list.ts";
import type { Found, FoundKind } from "#contract/search.ts";
import type { Endpoint } from "#contract/webhook.ts";
import type { Context } from "#gateway/context.ts";
import { listEndpoints } from "#gateway/events/webhooks/endpoints/read.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { listDestinations } from "#gateway/workspace/copies/destinations/destinations.ts";

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

export const destinationGroup: Group = {
  kind: "destination",
  permission: "copies:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listDestinations(context, accountId, sought), (destination) => ({
      id: destination.id,
      kind: "destination",
      name: destination.name,
      about: `${destination.bucket}/${destination.prefix}`,
      ...lastCopy(destination),
    })),
};

function lastCopy({ status, last_copied_at: copiedAt, last_error_at: failedAt }: Destination) {
  const at =
    [copiedAt, failedAt]
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null;
  if (status !== "active") return { state: status, at };
  if (at === null) return { state: null, at };
  return { state: at === failedAt ? "failing" : "copied", at };
}

export const endpointGroup: Group = {
  kind: "endpoint",
  permission: "endpoints:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listEndpoints(context, accountId, sought), (endpoint) => ({
      id: endpoint.id,
      kind: "endpoint",
      name: endpoint.description ?? endpoint.url,
      about: endpoint.description === null ? null : endpoint.url,
      ...lastDelivery(endpoint),
    })),
};

/** The time and the outcome of the last delivery. */
function lastDelivery({ status, health }: Endpoint) {
  const failed = health?.last_failure_at ?? null;
  const delivered = health?.last_success_at ?? null;
  const at =
    [failed, delivered]
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null;
  if (status !== "enabled") return { state: status, at };
  if (at === null) return { state: null, at };
  return { state: at === failed ? "failing" : "delivered", at };
}
