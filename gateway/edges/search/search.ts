import type { ApiKey } from "#contract/accounts/keys.ts";
import { pairIn } from "#contract/metadata.ts";
import {
  type FoundKind,
  foundKinds,
  type SearchAnswer,
  type SearchQuery,
  searchRoutes,
} from "#contract/search.ts";
import { foundLimit, hasWords, searchWords } from "#contract/search-words.ts";
import { listKeys } from "#gateway/access/accounts/keys/owner.ts";
import { lastSeenAt } from "#gateway/access/accounts/members/team.ts";
import type { Context } from "#gateway/context.ts";
import { listDeliveries } from "#gateway/events/webhooks/deliveries/read.ts";
import { listUploads } from "#gateway/files/uploads/read.ts";
import { searchableBy } from "#gateway/models/catalog/clearance.ts";
import { listProviders } from "#gateway/models/operator/providers/view.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { inParallel } from "#gateway/platform/core/together.ts";
import { and, asc, desc, drizzle, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { isOutOfTime } from "#gateway/platform/database/failed-query.ts";
import { foundBy, hasPair } from "#gateway/platform/database/metadata-filter.ts";
import * as schema from "#gateway/platform/database/schema.ts";
import { members, predictions, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { listShaped } from "#gateway/runs/batches/read.ts";
import { promptIn } from "#gateway/runs/operations/prompt-of.ts";
import { predictionsFoundBy } from "#gateway/runs/predictions/read.ts";
import { listConversations } from "#gateway/workspace/conversations/conversations.ts";
import { listPresets } from "#gateway/workspace/presets/presets.ts";
import { destinationGroup, endpointGroup, type FoundRows, firstOf, fromList, type Group } from "./groups.ts";

/** Found by id, by a pair of the metadata, or by a word in the prompt while the input is kept. */
export const predictionGroup: Group = {
  kind: "prediction",
  permission: "predictions:read",
  find: async (context, actor, { search, limit }) => {
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
    const words = searchWords(search);
    const found = rows.map((row) => ({
      id: row.id,
      kind: "prediction" as const,
      name: row.prompt === null ? row.model : excerptAround(row.prompt, words),
      about: row.prompt === null ? null : row.model,
      state: row.status,
      at: (row.completedAt ?? row.createdAt).toISOString(),
    }));
    return firstOf(found, limit);
  },
};

/** Found only by a pair of their predictions' metadata, because deliveries contain no text. */
const deliveryGroup: Group = {
  kind: "delivery",
  permission: "deliveries:read",
  find: async (context, { accountId }, { search, limit }) => {
    const pair = pairIn(search);
    if (pair === null) return { data: [], has_more: false };
    return fromList(await listDeliveries(context, accountId, { metadata: pair, limit }), (delivery) => ({
      id: delivery.id,
      kind: "delivery",
      name: delivery.event_type,
      about: delivery.endpoint_description ?? delivery.url,
      state: delivery.status,
      at: delivery.delivered_at ?? delivery.created_at,
    }));
  },
};

const uploadGroup: Group = {
  kind: "upload",
  permission: "uploads:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listUploads(context, accountId, sought), (upload) => ({
      id: upload.id,
      kind: "upload",
      name: upload.filename ?? upload.id,
      about: upload.content_type,
      state: upload.status,
      at: upload.created_at,
    })),
};

const presetGroup: Group = {
  kind: "preset",
  permission: "presets:read",
  find: async (context, { accountId }, sought) =>
    fromList(await listPresets(context, accountId, sought), ({ id, name, model, updated_at }) => ({
      id,
      kind: "preset",
      name,
      about: model,
      state: "changed",
      at: updated_at,
    })),
};

const conversationGroup: Group = {
  kind: "conversation",
  permission: "conversations:read",
  find: async (context, actor, sought) =>
    fromList(await listConversations(context, actor, sought), ({ id, name, model, updated_at }) => ({
      id,
      kind: "conversation",
      name,
      about: model,
      state: "changed",
      at: updated_at,
    })),
};

/** Batches are stored together, but comparisons have a list and pages of their own. */
const batchGroup = (kind: "batch" | "comparison"): Group => ({
  kind,
  permission: "predictions:read",
  find: async (context, { accountId }, sought) => {
    const query = { ...sought, kind: kind === "batch" ? "table" : kind } as const;
    const list = await listShaped(context, accountId, query, (_record, batch) => batch);
    return fromList(list, (batch) => ({
      id: batch.id,
      kind,
      name: batch.name ?? batch.model,
      about: batch.name === null ? null : batch.model,
      state: batch.status,
      at: batch.finished_at ?? batch.created_at,
    }));
  },
});

/** Keys that the caller sees in the list of keys: all, or only their own. */
const keyGroup: Group = {
  kind: "key",
  permission: "keys:own",
  find: async (context, actor, sought) =>
    fromList(await listKeys(context, actor, sought), (key) => ({
      id: key.id,
      kind: "key",
      name: key.name,
      about: key.hint,
      ...lastOf(key),
    })),
};

function lastOf({ revoked_at: revokedAt, expires_at: expiresAt, last_used_at: usedAt }: ApiKey) {
  if (revokedAt !== null) return { state: "revoked", at: revokedAt };
  if (expiresAt !== null && Date.parse(expiresAt) <= clock.now()) return { state: "expired", at: expiresAt };
  return { state: usedAt === null ? "unused" : "used", at: usedAt };
}

/** By name, and by e-mail address for callers who see addresses in the list of members. */
const memberGroup: Group = {
  kind: "member",
  permission: "members:read",
  find: async ({ database }, { accountId, userId, permissions }, { search, limit }) => {
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
    const found = rows.map(({ id, name, email: address, role, seenAt }) => ({
      id,
      kind: "member" as const,
      name,
      about: address,
      state: role,
      at: seenAt && new Date(seenAt).toISOString(),
    }));
    return firstOf(found, limit);
  },
};

const aliasGroup: Group = {
  kind: "alias",
  permission: "aliases:read",
  find: async ({ aliases }, { accountId }, { search, limit }) => {
    const words = searchWords(search);
    const rows = (await aliases.list(accountId)).filter(({ id, name, models }) =>
      hasWords([id, name, ...models].join(" "), words),
    );
    const found = rows.map(({ id, name, models, updatedAt }) => ({
      id,
      kind: "alias" as const,
      name,
      about: models.join(", "),
      state: "changed",
      at: updatedAt.toISOString(),
    }));
    return firstOf(found, limit);
  },
};

const modelGroup: Group = {
  kind: "model",
  permission: "anyone",
  find: async ({ catalog }, { accountId }, { search, limit }) => {
    const found = catalog.list({ q: search }, accountId).data.map((model) => ({
      id: model.id,
      kind: "model" as const,
      name: model.display_name ?? model.id,
      about: [...(model.display_name ? [model.id] : []), ...model.api_types].join(", "),
      state: null,
      at: null,
    }));
    return firstOf(found, limit);
  },
};

const providerGroup: Group = {
  kind: "provider",
  permission: "operator",
  find: async (context, _actor, { search, limit }) => {
    const words = searchWords(search);
    const { data } = await listProviders(context);
    const found = data
      .filter((provider) =>
        hasWords(
          [
            provider.id,
            provider.name,
            ...provider.former_names,
            provider.protocol,
            provider.base_url ?? "",
            ...Object.values(provider.base_urls),
          ].join(" "),
          words,
        ),
      )
      .map((provider) => ({
        id: provider.id,
        kind: "provider" as const,
        name: provider.name,
        about: provider.base_url ?? provider.protocol,
        state: provider.problem === null ? provider.status : "unusable",
        at: provider.updated_at,
      }));
    return firstOf(found, limit);
  },
};

/** After this time, a search returns the results that it has so far. */
const searchMs = 1_000;

/** Prompts are the slowest group, so they start first while the others run in parallel. */
const groupsAtOnce = 2;

/**
 * Searches every group that the caller may read. `context` uses the search's own connections. Groups that are
 * too slow are left out and named in `partial`.
 */
export async function search(
  context: Context,
  actor: Actor,
  { q, limit = foundLimit.default }: SearchQuery,
): Promise<SearchAnswer> {
  if (searchWords(q).length === 0) return { object: "search", groups: [], partial: [] };
  const found = new Map<FoundKind, FoundRows>();
  const permitted = groups.filter(({ permission }) => isPermitted(actor, permission));
  const deadline = AbortSignal.timeout(searchMs);
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
  const place = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0));
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

export function installSearch(app: App, context: Context): void {
  const pool = context.database.openSteadyPool(connections, { statementTimeoutMs });
  app.addHook("onClose", () => pool.end());
  const queries = drizzle(pool, { schema });
  const ofSearch = { ...context, database: { ...context.database, queries } };
  serve(app, context, searchRoutes, {
    "GET /search": (request, reply) => {
      reply.header("cache-control", "no-store");
      return search(ofSearch, actorOf(request), request.query);
    },
  });
}
