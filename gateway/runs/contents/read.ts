import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import type { AuditAction } from "#contract/audit.ts";
import type { ContentExportQuery, ContentQuery, ContentSummary } from "#contract/contents.ts";
import { firstIdAt, isId } from "#contract/ids.ts";
import type { RequestFilter } from "#contract/usage.ts";
import { byCaller, recordAudits } from "#gateway/access/accounts/audit.ts";
import { type ContentSecret, openPart, openSecret, secretOf } from "#gateway/access/contents/keys.ts";
import { firstKeptId } from "#gateway/access/contents/sweeps.ts";
import { matchesRequest } from "#gateway/billing/usage/usage.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gte, inArray, isNotNull, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { type Keyset, keyset } from "#gateway/platform/database/keyset.ts";
import { hasPair } from "#gateway/platform/database/metadata-filter.ts";
import {
  accounts,
  auditLogs,
  contentKeys,
  contents,
  requestLogs,
} from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { ContentText } from "./text.ts";

export type ContentRow = typeof contents.$inferSelect;

const decompress = promisify(zstdDecompress);
/** More than any text that was kept. */
const maxTextBytes = 40_000_000;

/** An account's contents, as they can be read now. */
export interface Readable {
  secret: ContentSecret;
  /** The condition on rows that the account still keeps, sealed by its present key. */
  among: SQL;
}

/** Null if the account keeps nothing: then nothing can be read either. */
export async function readable(
  { config, database, contents: recorder }: RunsContext,
  accountId: string,
): Promise<Readable | null> {
  await recorder.flush();
  const [row] = await database.queries
    .select({ key: contentKeys, rule: accounts.contents })
    .from(contentKeys)
    .innerJoin(accounts, eq(accounts.id, contentKeys.accountId))
    .where(and(eq(contentKeys.accountId, accountId), isNotNull(contentKeys.ciphertext)));
  const secret = row ? secretOf(config, row.key) : null;
  if (!row || secret === null) return null;
  const among = and(
    eq(contents.accountId, accountId),
    eq(contents.contentKey, row.key.id),
    gte(contents.id, firstKeptId(config, row.rule)),
  );
  return among ? { secret, among } : null;
}

/** The content of a run, by the id of the run or of its request. Throws `content_not_found`. */
export async function findContent(
  context: RunsContext,
  accountId: string,
  id: string,
  also?: SQL,
): Promise<{ row: ContentRow; secret: ContentSecret }> {
  const from = await readable(context, accountId);
  const { queries } = context.database;
  const runId = isId("request", id) ? await runOf(queries, accountId, id) : id;
  if (from && runId !== null) {
    const [row] = await queries
      .select()
      .from(contents)
      .where(and(eq(contents.id, runId), from.among, also));
    if (row) return { row, secret: from.secret };
  }
  throw contentNotFound(id, from === null);
}

export function contentNotFound(id: string, keepsNone: boolean): ApiError {
  return new ApiError(
    "content_not_found",
    keepsNone
      ? `Nothing that ${id} said is kept: this account keeps no contents. An owner can change that in the settings.`
      : `Nothing that ${id} said is kept here: it was not kept, or was removed.`,
  );
}

async function runOf(queries: Queries, accountId: string, id: string): Promise<string | null> {
  const [row] = await queries
    .select({ runId: requestLogs.runId })
    .from(requestLogs)
    .where(and(eq(requestLogs.id, id), eq(requestLogs.accountId, accountId)));
  return row?.runId ?? null;
}

type ContentFilter = Omit<ContentQuery, "ids"> & ContentExportQuery;

/** A page of an account's contents that match the filters. */
export function filteredContents(
  among: SQL,
  { model, key_id: keyId, user_id: userId, metadata, stored, ...others }: ContentFilter,
  also: readonly (SQL | undefined)[],
): Keyset {
  return keyset("generation", contents.id, others, [
    among,
    model === undefined ? undefined : eq(contents.model, model),
    keyId === undefined ? undefined : eq(contents.keyId, keyId),
    metadata === undefined ? undefined : hasPair(contents.metadata, metadata),
    stored ? eq(contents.isStored, true) : undefined,
    userId === undefined ? undefined : eq(contents.userId, userId),
    ofRequest(others),
    ...also,
  ]);
}

/** The filters that only rows of the request log can match. Contents of batches have no such row. */
const loggedOnly = new Set<string>([
  "status",
  "status_class",
  "code",
  "route",
  "actor",
  "client_request_id",
  "conversation",
] satisfies (keyof RequestFilter)[]);

function ofRequest(filter: ContentFilter): SQL | undefined {
  const asked = Object.entries(filter).filter(([name]) => loggedOnly.has(name));
  if (asked.length === 0) return undefined;
  const isAsked = matchesRequest(Object.fromEntries(asked) as RequestFilter);
  return sql`exists (select 1 from ${requestLogs}
    where ${and(eq(requestLogs.id, contents.requestId), eq(requestLogs.accountId, contents.accountId), isAsked)})`;
}

export async function openText(
  accountSecret: ContentSecret,
  { id, secret, sealed }: Pick<ContentRow, "id" | "secret" | "sealed">,
): Promise<string> {
  const compressed = openPart(openSecret(accountSecret, id, secret), id, "text", sealed);
  return (await decompress(compressed, { maxOutputLength: maxTextBytes })).toString();
}

export async function openContent(accountSecret: ContentSecret, row: ContentRow): Promise<ContentText> {
  return JSON.parse(await openText(accountSecret, row)) as ContentText;
}

/** `isHidden`: the reader lacks an attestation that the model needs. */
export function summaryOf(
  accountSecret: ContentSecret,
  row: Omit<ContentRow, "sealed">,
  isHidden: boolean,
): ContentSummary {
  const { id, secret, opening } = row;
  return {
    id,
    object: "content",
    created_at: row.at.toISOString(),
    request_id: row.requestId,
    key_id: row.keyId,
    user_id: row.userId,
    model: row.model,
    api_type: row.apiType as ContentSummary["api_type"],
    stored: row.isStored,
    metadata: row.metadata,
    opening: isHidden
      ? null
      : openPart(openSecret(accountSecret, id, secret), id, "opening", opening).toString(),
  };
}

const hourMs = 3_600_000;

/** Writes an audit row for each target that the caller has not opened in the last hour. */
export async function recordOpenings(
  { database }: RunsContext,
  caller: Caller,
  action: AuditAction,
  targets: readonly string[],
): Promise<void> {
  if (targets.length === 0 || caller.isPartOfExport) return;
  const { actor } = caller;
  await database.transaction(async (queries) => {
    await lockName(queries, `contents opened by ${actor.id}`);
    const known = await queries
      .select({ target: auditLogs.targetId })
      .from(auditLogs)
      .where(
        and(
          eq(auditLogs.accountId, actor.accountId),
          eq(auditLogs.actorId, actor.id),
          gte(auditLogs.id, firstIdAt("audit", clock.now() - hourMs)),
          eq(auditLogs.action, action),
          inArray(auditLogs.targetId, [...targets]),
        ),
      );
    const opened = new Set(known.map(({ target }) => target));
    const fresh = targets.filter((target) => !opened.has(target));
    if (fresh.length > 0)
      await recordAudits(
        queries,
        fresh.map((targetId) => ({ ...byCaller(caller), action, targetId })),
      );
  });
}

/** All columns but the texts. */
export const summaryColumns = {
  id: contents.id,
  accountId: contents.accountId,
  at: contents.at,
  requestId: contents.requestId,
  keyId: contents.keyId,
  userId: contents.userId,
  model: contents.model,
  apiType: contents.apiType,
  isStored: contents.isStored,
  metadata: contents.metadata,
  contentKey: contents.contentKey,
  secret: contents.secret,
  opening: contents.opening,
  sizeBytes: contents.sizeBytes,
};

/** SQL: nothing. */
export const none = sql`false`;
