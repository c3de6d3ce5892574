import type { ApiKey } from "#contract/accounts/keys.ts";
import type { Permission } from "#contract/accounts/permissions.ts";
import type { Destination } from "#contract/copies.ts";
import type { List } from "#contract/list.ts";
import { pairIn } from "#contract/metadata.ts";
import {
  type Found,
  type FoundKind,
  type FoundState,
  foundKinds,
  type SearchAnswer,
  type SearchQuery,
  searchRoutes,
} from "#contract/search.ts";
import {
  asWholeWords,
  foundLimit,
  hasWords,
  searchLimits,
  searchWords,
  unquoted,
} from "#contract/search-words.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { listKeys } from "#gateway/access/accounts/keys/owner.ts";
import { lastSeenAt } from "#gateway/access/accounts/members/team.ts";
import type { EdgesContext } from "#gateway/edges/context.ts";
import { listDeliveries } from "#gateway/events/webhooks/deliveries/read.ts";
import { listEndpoints } from "#gateway/events/webhooks/endpoints/read.ts";
import { listUploads } from "#gateway/files/uploads/read.ts";
import { searchableBy } from "#gateway/models/catalog/clearance.ts";
import { promptIn } from "#gateway/models/catalog/prompt-of.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { inParallel } from "#gateway/platform/core/together.ts";
import { and, asc, desc, drizzle, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { isOutOfTime } from "#gateway/platform/database/failed-query.ts";
import { foundBy, hasPair, occursIn } from "#gateway/platform/database/metadata-filter.ts";
import * as schema from "#gateway/platform/database/schema.ts";
import { members, predictions, requestLogs, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { clientLeft } from "#gateway/platform/http/when-closed.ts";
import { listShaped } from "#gateway/runs/batches/read.ts";
import { predictionsFoundBy } from "#gateway/runs/predictions/read.ts";
import { listConversations } from "#gateway/workspace/conversations/conversations.ts";
import { listDestinations } from "#gateway/workspace/copies/destinations/destinations.ts";
import { listPresets } from "#gateway/workspace/presets/presets.ts";

/** A search in one group: at most `limit` rows, and whether there are more. */
interface Sought {
  search: string;
  limit: number;
}

type Rows<Row> = Pick<List<Row>, "data" | "has_more">;

/** One kind of search result, found with the query of its list. */
interface Group {
  kind: FoundKind;
  /** `anyone`: every credential may search this group. */
  permission: Permission | "operator" | "anyone";
  find: (context: EdgesContext, actor: Actor, sought: Sought) => Promise<Rows<Found>>;
}

type ListRows<Row> = (context: EdgesContext, actor: Actor, sought: Sought) => Promise<Rows<Row>>;

/**
 * Kinds that are in their final order: the newest results come first because prompts are long texts and deliveries
 * have none, and pairs of metadata are ordered by the query.
 */
const isOrdered: readonly FoundKind[] = ["prediction", "delivery", "metadata"];

/** The state or last event of a row, and its time. */
type Last = Pick<Found, "at"> & { state: FoundState | null };

/** A group whose rows `list` finds; `shown` describes a row as a search result. */
function group<Row extends { id: string }>(
  kind: FoundKind,
  permission: Group["permission"],
  list: ListRows<Row>,
  shown: (row: Row, sought: Sought) => Pick<Found, "name" | "about"> & Last,
): Group {
  return {
    kind,
    permission,
    async find(context, actor, sought) {
      const listed = isOrdered.includes(kind) ? list : wholeWordsFirst(list);
      const { data, has_more } = await listed(context, actor, sought);
      return { data: data.map((row) => ({ id: row.id, kind, ...shown(row, sought) })), has_more };
    },
  };
}

/** The same rows, those with whole words first: `customer 17` finds "customer 17" before "customer 217". */
function wholeWordsFirst<Row extends { id: string }>(list: ListRows<Row>): ListRows<Row> {
  return async (context, actor, sought) => {
    const whole = await list(context, actor, { ...sought, search: asWholeWords(sought.search) });
    if (whole.has_more) return whole;
    const { data, has_more } = await list(context, actor, sought);
    const others = data.filter(({ id }) => !whole.data.some((row) => row.id === id));
    const rows = firstOf([...whole.data, ...others], sought.limit);
    return { ...rows, has_more: rows.has_more || has_more };
  };
}

/** The first rows of a list that is completely in memory. */
function firstOf<Row>(rows: readonly Row[], limit: number): Rows<Row> {
  return { data: rows.slice(0, limit), has_more: rows.length > limit };
}

/** Found by id, by a pair of the metadata, or by a word in the prompt while the input is kept. */
export const predictionGroup = group(
  "prediction",
  "predictions:read",
  async (context, actor, { search, limit }) => {
    const { accountId } = actor;
    const searchable = await searchableBy(context, actor, predictions.model);
    const prompt = promptIn(predictions.input);
    const pair = pairIn(search);
    const { id, model, status, createdAt, completedAt } = predictions;
    const rows = await context.database.queries
      .select({
        id,
        model,
        status,
        createdAt,
        completedAt,
        prompt: searchable ? sql<string | null>`case when ${searchable} then ${prompt} end` : prompt,
      })
      .from(predictions)
      .where(
        and(
          eq(predictions.accountId, accountId),
          pair ? hasPair(predictions.metadata, pair) : predictionsFoundBy(accountId, search, searchable),
        ),
      )
      .orderBy(desc(predictions.id))
      .limit(limit + 1);
    return firstOf(rows, limit);
  },
  (row, { search }) => ({
    name: row.prompt === null ? row.model : excerptAround(row.prompt, searchWords(search)),
    about: row.prompt === null ? null : row.model,
    state: row.status as FoundState,
    at: (row.completedAt ?? row.createdAt).toISOString(),
  }),
);

/** Found only by a pair of their predictions' metadata, because deliveries contain no text. */
const deliveryGroup = group(
  "delivery",
  "deliveries:read",
  async (context, { accountId }, { search, limit }) => {
    const pair = pairIn(search);
    return pair === null
      ? { data: [], has_more: false }
      : listDeliveries(context, accountId, { metadata: pair, limit });
  },
  (delivery) => ({
    name: delivery.event_type,
    about: delivery.endpoint_description ?? delivery.url,
    state: delivery.status as FoundState,
    at: delivery.delivered_at ?? delivery.created_at,
  }),
);

/**
 * Pairs of the metadata of predictions and requests, such as `customer=acme`, found by words of the key and the
 * value, among what the caller may read.
 */
const metadataGroup = group(
  "metadata",
  "anyone",
  async ({ database }, { accountId, permissions }, { search, limit }) => {
    // Ordered by both columns, so that only an index with both can provide the rows.
    const newest = sql`order by account_id desc, id desc limit ${searchLimits.rows}::int`;
    const sources = [
      permissions.has("predictions:read") &&
        sql`(select metadata, created_at as at, true as is_prediction, null as run_id from ${predictions}
          where account_id = ${accountId} ${newest})`,
      permissions.has("requests:read") &&
        sql`(select metadata, at, false as is_prediction, run_id from ${requestLogs}
          where account_id = ${accountId} and metadata is not null ${newest})`,
    ].filter((source) => source !== false);
    if (pairIn(search) || sources.length === 0) return { data: [], has_more: false };
    // A prediction without metadata may have the JSON value null.
    const object = sql`case when jsonb_typeof(metadata) = 'object' then metadata else '{}' end`;
    const texts = [sql`pair.key`, sql`pair.value`];
    const isFound = (by: string) => and(...searchWords(by).map((word) => occursIn({ texts }, word)));
    const rows = await database.queries
      .select({
        id: sql<string>`pair.key || '=' || pair.value`,
        predictions: sql<number>`(count(*) filter (where is_prediction))::int`,
        requests: sql<number>`(count(*) filter (where not is_prediction))::int`,
        at: sql<string>`max(at)`,
      })
      .from(sql`(${sql.join(sources, sql` union all `)}) named`)
      .innerJoin(sql`lateral jsonb_each_text(${object}) pair`, sql`true`)
      // The request that created a prediction has the same pairs.
      .where(and(isFound(search), sql`(run_id is null or not starts_with(run_id, 'pred_'))`))
      .groupBy(...texts)
      .orderBy(sql`${isFound(asWholeWords(search))} desc`, sql`max(at) desc`, ...texts)
      .limit(limit + 1);
    return firstOf(rows, limit);
  },
  ({ id, predictions, requests, at }) => ({
    name: id,
    about: [...countOf(predictions, "prediction"), ...countOf(requests, "request")].join(", "),
    state: "used",
    at: new Date(at).toISOString(),
  }),
);

function countOf(count: number, thing: string): string[] {
  if (count === 0) return [];
  return [count === 1 ? `1 ${thing}` : `${count} ${thing}s`];
}

const uploadGroup = group(
  "upload",
  "uploads:read",
  (context, { accountId }, sought) => listUploads(context, accountId, sought),
  (upload) => ({
    name: upload.filename ?? upload.id,
    about: upload.content_type,
    state: upload.status as FoundState,
    at: upload.created_at,
  }),
);

const endpointGroup = group(
  "endpoint",
  "endpoints:read",
  (context, { accountId }, sought) => listEndpoints(context, accountId, sought),
  (endpoint) => ({
    name: endpoint.description ?? endpoint.url,
    about: endpoint.description === null ? null : endpoint.url,
    ...lastDelivery(endpoint),
  }),
);

/** The time and the outcome of the last delivery. */
function lastDelivery({ status, health }: Endpoint): Last {
  const failed = health?.last_failure_at ?? null;
  const at = laterOf(failed, health?.last_success_at ?? null);
  if (status !== "enabled") return { state: status as FoundState, at };
  if (at === null) return { state: null, at };
  return { state: at === failed ? "failing" : "delivered", at };
}

function laterOf(...times: (string | null)[]): string | null {
  return (
    times
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null
  );
}

const presetGroup = group(
  "preset",
  "presets:read",
  (context, { accountId }, sought) => listPresets(context, accountId, sought),
  ({ name, model, updated_at: at }) => ({ name, about: model, state: "changed", at }),
);

const conversationGroup = group(
  "conversation",
  "conversations:read",
  (context, actor, sought) => listConversations(context, actor, sought),
  ({ name, model, updated_at: at }) => ({ name, about: model, state: "changed", at }),
);

/** Batches are stored together, but comparisons have a list and pages of their own. */
const batchGroup = (kind: "batch" | "comparison"): Group =>
  group(
    kind,
    "predictions:read",
    (context, { accountId }, sought) => {
      const query = { ...sought, kind: kind === "batch" ? "table" : kind } as const;
      return listShaped(context, accountId, query, (_record, batch) => batch);
    },
    (batch) => ({
      name: batch.name ?? batch.model,
      about: batch.name === null ? null : batch.model,
      state: batch.status as FoundState,
      at: batch.finished_at ?? batch.created_at,
    }),
  );

/** Keys that the caller sees in the list of keys: all, or only their own. */
const keyGroup = group(
  "key",
  "keys:own",
  (context, actor, sought) => listKeys(context, actor, sought),
  (key) => ({ name: key.name, about: key.hint, ...lastOf(key) }),
);

function lastOf({ revoked_at: revokedAt, expires_at: expiresAt, last_used_at: usedAt }: ApiKey): Last {
  if (revokedAt !== null) return { state: "revoked", at: revokedAt };
  if (expiresAt !== null && Date.parse(expiresAt) <= clock.now()) return { state: "expired", at: expiresAt };
  return { state: usedAt === null ? "unused" : "used", at: usedAt };
}

/** By name, and by e-mail address for callers who see addresses in the list of members. */
const memberGroup = group(
  "member",
  "members:read",
  async ({ database }, { accountId, userId, permissions }, { search, limit }) => {
    const email = permissions.has("members:manage")
      ? sql<string | null>`${users.email}`
      : sql<string | null>`case when ${users.id} = ${userId ?? ""} then ${users.email} end`;
    const rows = await database.queries
      .select({ id: users.id, name: users.name, email, role: members.role, seenAt: lastSeenAt() })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(
        and(
          eq(members.accountId, accountId),
          foundBy(search, {
            idColumn: members.userId,
            among: eq(members.accountId, accountId),
            texts: [users.name, email],
          }),
        ),
      )
      .orderBy(asc(users.name), asc(users.id))
      .limit(limit + 1);
    return firstOf(rows, limit);
  },
  ({ name, email, role, seenAt }) => ({
    name,
    about: email,
    state: role,
    at: seenAt && new Date(seenAt).toISOString(),
  }),
);

const aliasGroup = group(
  "alias",
  "aliases:read",
  async ({ aliases }, { accountId }, { search, limit }) => {
    const words = searchWords(search);
    const rows = await aliases.list(accountId);
    return firstOf(
      rows.filter(({ id, name, models }) => hasWords([id, name, ...models].join(" "), words)),
      limit,
    );
  },
  ({ name, models, updatedAt }) => ({
    name,
    about: models.join(", "),
    state: "changed",
    at: updatedAt.toISOString(),
  }),
);

const destinationGroup = group(
  "destination",
  "copies:read",
  (context, { accountId }, sought) => listDestinations(context, accountId, sought),
  (destination) => ({
    name: destination.name,
    about: `${destination.bucket}/${destination.prefix}`,
    ...lastCopy(destination),
  }),
);

function lastCopy({ status, last_copied_at: copiedAt, last_error_at: failedAt }: Destination): Last {
  const at = laterOf(copiedAt, failedAt);
  if (status !== "active") return { state: status, at };
  if (at === null) return { state: null, at };
  return { state: at === failedAt ? "failing" : "copied", at };
}

const modelGroup = group(
  "model",
  "anyone",
  async ({ catalog }, { accountId }, { search, limit }) =>
    firstOf(catalog.list({ q: search }, accountId).data, limit),
  (model) => ({
    name: model.display_name ?? model.id,
    about: [...(model.display_name ? [model.id] : []), ...model.api_types].join(", "),
    state: null,
    at: null,
  }),
);

const providerGroup = group(
  "provider",
  "operator",
  async (context, _actor, { search, limit }) => {
    const words = searchWords(search);
    const { data } = await context.listProviders();
    const found = data.filter(({ id, name, former_names, protocol, base_url, base_urls }) =>
      hasWords(
        [id, name, ...former_names, protocol, base_url ?? "", ...Object.values(base_urls)].join(" "),
        words,
      ),
    );
    return firstOf(found, limit);
  },
  (provider) => ({
    name: provider.name,
    about: provider.base_url ?? provider.protocol,
    state: provider.problem === null ? provider.status : "unusable",
    at: provider.updated_at,
  }),
);

/** After this time, a search returns the results that it has so far. */
const searchMs = 1_000;

/** Prompts are the slowest group, so they start first while the others run in parallel. */
const groupsAtOnce = 2;

/**
 * Searches every group that the caller may read. `context` uses the search's own connections. Groups that are
 * too slow are left out and named in `partial`.
 */
export async function search(
  context: EdgesContext,
  actor: Actor,
  { q, limit = foundLimit.default }: SearchQuery,
  left: AbortSignal,
): Promise<SearchAnswer> {
  if (searchWords(q).length === 0) return { object: "search", groups: [], partial: [] };
  const found = new Map<FoundKind, Rows<Found>>();
  const permitted = groups.filter(({ permission }) => isPermitted(actor, permission));
  const deadline = AbortSignal.any([AbortSignal.timeout(searchMs), left]);
  const whole = inParallel(permitted, groupsAtOnce, async ({ kind, find }) => {
    if (deadline.aborted) return;
    try {
      found.set(kind, await find(context, actor, { search: q, limit }));
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
    }
  });
  await Promise.race([whole, elapsed(deadline)]);
  // Ignore queries that finish after the deadline.
  whole.catch(() => {});
  const kinds = foundKinds.filter((kind) => permitted.some((group) => group.kind === kind));
  return {
    object: "search",
    groups: kinds.flatMap((kind) => {
      const rows = found.get(kind);
      return rows && rows.data.length > 0 ? [{ kind, ...rows }] : [];
    }),
    partial: kinds.filter((kind) => !found.has(kind)),
  };
}

function isPermitted({ permissions, isOperator }: Actor, permission: Group["permission"]): boolean {
  if (permission === "anyone") return true;
  return permission === "operator" ? isOperator : permissions.has(permission);
}

function elapsed(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** All groups, slowest first. */
const groups: readonly Group[] = [
  predictionGroup,
  deliveryGroup,
  metadataGroup,
  uploadGroup,
  endpointGroup,
  presetGroup,
  conversationGroup,
  batchGroup("batch"),
  batchGroup("comparison"),
  keyGroup,
  memberGroup,
  aliasGroup,
  destinationGroup,
  modelGroup,
  providerGroup,
];

const maxLetters = 120;

/** Text shown before the match, for context. */
const lettersBefore = 40;

/** Half of a surrogate pair. */
const halves = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

/** One line of a long text around the first match. */
function excerptAround(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxLetters) return line;
  const lower = line.toLowerCase();
  const place = Math.min(...words.map((word) => lower.indexOf(unquoted(word))).filter((at) => at >= 0));
  const start = place < maxLetters - lettersBefore || place === Infinity ? 0 : place - lettersBefore;
  const end = start + maxLetters;
  const piece = line.slice(start, end).replace(halves, "");
  return `${start > 0 ? "…" : ""}${piece}${end < line.length ? "…" : ""}`;
}

/**
 * The database connections for all searches together. People who type in the search field must not occupy the
 * others.
 */
const connections = 2;

/** The database cancels slower statements. */
const statementTimeoutMs = 500;

export function installSearch(app: App, context: EdgesContext): void {
  const pool = context.database.openSteadyPool(connections, { statementTimeoutMs });
  app.addHook("onClose", () => pool.end());
  const queries = drizzle(pool, { schema });
  const ofSearch = { ...context, database: { ...context.database, queries } };
  serve(app, context, searchRoutes, {
    "GET /search": ({ caller, query }, reply) => search(ofSearch, caller.actor, query, clientLeft(reply.raw)),
  });
}
