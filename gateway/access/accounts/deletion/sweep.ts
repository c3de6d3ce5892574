import { firstIdAt, timeOfId, ulidOf } from "#contract/ids.ts";
import { eraseContentKey } from "#gateway/access/contents/keys.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, inArray, isNull, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accountDeletions,
  accounts,
  attestations,
  destinations,
  identities,
  members,
  users,
  webhookEndpoints,
} from "#gateway/platform/database/schema.ts";
import { isThere } from "#gateway/platform/database/tables/webhooks.ts";
import { forgetUser } from "../members/membership.ts";
import { certificateHash } from "./certificate.ts";
import { contentsOf } from "./deletion.ts";

type Row = typeof accountDeletions.$inferSelect;

/** More than any account has, so that the initial contents are counted in full. */
const everything = 1_000_000_000;

/** Accounts handled in turns, so that one that waits for its files does not block the others. */
const accountsAtOnce = 20;

/**
 * Deletes accounts whose week is over: one batch at a time, saved in its transaction together with the
 * progress, so that another process continues where a killed one stopped. Two processes never work on the
 * same account.
 */
export const accountDeletionSweep: Sweep = {
  kind: "account_deletions",
  run: async ({ database, log }) => {
    const due = await database.queries
      .select({ accountId: accountDeletions.accountId })
      .from(accountDeletions)
      .where(isDue())
      .orderBy(asc(accountDeletions.dueAt), asc(accountDeletions.accountId))
      .limit(accountsAtOnce);
    let more = false;
    for (const { accountId } of due)
      more = (await database.transaction((queries) => oneBatch(queries, accountId, log))) || more;
    await removeLateRequests(database);
    return more;
  },
  oldestDue: () => "select min(due_at) from account_deletions where finished_at is null",
};

function isDue() {
  return and(isNull(accountDeletions.finishedAt), sql`${accountDeletions.dueAt} <= now()`);
}

/** Deletes one batch of one account. Returns true if there is more to do at once. */
async function oneBatch(queries: Queries, accountId: string, log: AccessContext["log"]): Promise<boolean> {
  const [row] = await queries
    .select()
    .from(accountDeletions)
    .where(and(eq(accountDeletions.accountId, accountId), isDue()))
    .for("update", { skipLocked: true });
  if (!row) return false;
  return row.startedAt ? advance(queries, row, log) : begin(queries, row, log);
}

/**
 * Members can send requests until the account is gone, and a request is logged a moment later. Removes these
 * late rows.
 */
async function removeLateRequests({ queries }: AccessContext["database"]): Promise<void> {
  const late = sql`any (array(
    select account_id from account_deletions where finished_at > now() - interval '1 hour'))`;
  await queries.execute(sql`delete from request_logs where account_id = ${late}`);
  await queries.execute(sql`delete from figure_additions where account_id = ${late}`);
}

/** Stops deliveries, callbacks and copies from now on, and counts the account's contents. */
async function begin(queries: Queries, { accountId }: Row, log: AccessContext["log"]): Promise<true> {
  const contents = await contentsOf(queries, accountId, everything);
  await queries
    .update(webhookEndpoints)
    .set({ deletedAt: sql`now()`, status: "disabled" })
    .where(and(eq(webhookEndpoints.accountId, accountId), sql.raw(isThere())));
  await queries.update(accounts).set({ callbackHosts: [] }).where(eq(accounts.id, accountId));
  await eraseContentKey(queries, accountId);
  await queries.update(destinations).set({ status: "paused" }).where(eq(destinations.accountId, accountId));
  await save(queries, accountId, { startedAt: sql`now()`, contents });
  log.info({ account: accountId, contents }, "deleting an account");
  return true;
}

/** One batch of one step; returns true if there is more to do at once. */
async function advance(queries: Queries, row: Row, log: AccessContext["log"]): Promise<boolean> {
  const { accountId, cursor } = row;
  const next = steps[row.step];
  if (!next) {
    if (await finish(queries, row)) log.info({ account: accountId }, "an account was deleted");
    return true;
  }
  const [name, step] = next;
  const batch = await step(queries, accountId, cursor);
  await save(queries, accountId, {
    erasedRows: row.erasedRows + (inProgress.has(name) ? batch.removed : 0),
    removed: addedTo(row.removed, { [name]: batch.removed }),
    cursor: batch.state === "more" ? (batch.cursor ?? null) : null,
    step: batch.state === "done" ? row.step + 1 : row.step,
  });
  return batch.state !== "waiting";
}

/** Tables whose rows name files. */
const withFiles = ["predictions", "uploads", "kept_outputs", "generations"];

/**
 * Deletes the account's row with the rows that reference it, and certifies what was removed. Runs that were
 * under way when the deletion began may have stored files since: then it begins again with the first step,
 * and returns false.
 */
async function finish(queries: Queries, { accountId, removed }: Row): Promise<boolean> {
  // Waits for rows of the account that are being inserted, and lets no further ones in.
  await queries.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("update");
  for (const table of withFiles)
    if ((await waitedFor(queries, table, accountId)) === "waiting") {
      await save(queries, accountId, { step: 0, cursor: null });
      return false;
    }
  const { rows: tables } = await queries.execute<{ name: string }>(sql`
    select distinct conrelid::regclass::text as name from pg_constraint
    where confrelid = 'accounts'::regclass and confdeltype = 'c' and conparentid = 0`);
  const rest: Record<string, number> = {};
  for (const { name } of tables) {
    const table = sql.raw(name);
    const { rows } = await queries.execute<{ count: number }>(
      sql`select count(*)::int as count from ${table} where account_id = ${accountId}`,
    );
    rest[name] = rows[0]?.count ?? 0;
  }
  await queries.delete(accounts).where(eq(accounts.id, accountId));
  const [row] = await queries
    .update(accountDeletions)
    .set({ finishedAt: clock.date(), removed: addedTo(removed, { ...rest, accounts: 1 }) })
    .where(eq(accountDeletions.accountId, accountId))
    .returning();
  if (row) await save(queries, accountId, { sha256: await certificateHash(row) });
  return true;
}

/** The sums by table; tables without rows are left out. */
function addedTo(sums: Record<string, number> | null, more: Record<string, number>): Record<string, number> {
  const all = { ...sums };
  for (const [name, count] of Object.entries(more)) if (count > 0) all[name] = (all[name] ?? 0) + count;
  return all;
}

type Change = Parameters<ReturnType<Queries["update"]>["set"]>[0];

async function save(queries: Queries, accountId: string, change: Change): Promise<void> {
  await queries.update(accountDeletions).set(change).where(eq(accountDeletions.accountId, accountId));
}

const batchSize = 1_000;

const batchesAtOnce = 20;

/** Rows per batch for tables that are not sorted by account. */
const searchedAtOnce = 10_000;

/** The result of a deletion step. */
interface Batch {
  /** `waiting`: other sweeps or running work must finish before this step can. */
  state: "more" | "waiting" | "done";
  /** How many rows the step deleted, or marked for the sweep that deletes them with their files. */
  removed: number;
  /** Where the next batch starts. */
  cursor?: string;
}

type Step = (queries: Queries, accountId: string, cursor: string | null) => Promise<Batch>;

const membersAtOnce = 100;

/**
 * The deletion steps, in this order, before the account's row, which takes the rest with it: keys, endpoints,
 * invitations, voices. Files are removed by the sweeps of their owning rows, whose expiry is set to now.
 */
const steps: readonly (readonly [name: string, step: Step])[] = [
  ofAccount("shares"),
  ["predictions", predictions],
  ["uploads", uploads],
  ["kept_outputs", keptOutputs],
  ["generations", reservedFiles],
  ofAccount("copies"),
  ofAccount("outputs"),
  ["batches", batches],
  ["webhook_deliveries", deliveries],
  searched("webhook_events", "id", (at) => firstIdAt("event", at)),
  searched("usage_lines", "run", (at) => ulidOf(firstIdAt("generation", at))),
  ofAccount("responses"),
  ofAccount("conversations"),
  ofAccount("contents"),
  ofAccount("notice_messages"),
  ofAccount("notices"),
  ofAccount("notice_causes"),
  ofAccount("usage_daily"),
  ofAccount("usage_by_metadata"),
  ofAccount("idempotency_keys"),
  ofAccount("attestations"),
  ofAccount("request_logs"),
  ["figures", figures],
  ofAccount("audit_logs"),
  ["sessions", keySessions],
  ["members", eraseMembers],
];

/** Tables whose rows of an account are removed before its own row, which takes the rest with it. */
export const accountDeletionTables: readonly string[] = [
  ...steps.map(([name]) => name),
  ...["figure_additions", "figure_series", "webhook_delivery_keys", "users"],
  // Their rows end with the response or the upload.
  ...["response_jobs", "upload_transfers"],
  // Stays as the record of the deletion.
  "account_deletions",
];

/** The steps whose rows the progress counts, as `rowsOf` does. */
const inProgress = new Set(["predictions", "uploads", "webhook_deliveries", "request_logs", "audit_logs"]);

/**
 * Ends memberships, owners' last, and deletes people who belong to no other account. Operators stay, and so
 * does the name of somebody whose attestation another account keeps.
 */
async function eraseMembers(queries: Queries, accountId: string): Promise<Batch> {
  const batch = await queries
    .select({ userId: members.userId })
    .from(members)
    .where(eq(members.accountId, accountId))
    .orderBy(sql`${members.role} = 'owner'`, members.createdAt)
    .limit(membersAtOnce)
    .for("update");
  const ids = batch.map(({ userId }) => userId);
  if (ids.length === 0) return { state: "done", removed: 0 };
  await queries.delete(members).where(and(eq(members.accountId, accountId), inArray(members.userId, ids)));
  const left = await queries
    .select({ id: users.id, hasAttested: hasAttested() })
    .from(users)
    .where(and(inArray(users.id, ids), eq(users.isOperator, false), belongsNowhere()));
  for (const { id, hasAttested: isKept } of left) {
    if (isKept) {
      await forgetUser(queries, id);
      await queries.delete(identities).where(eq(identities.userId, id));
    } else await queries.delete(users).where(eq(users.id, id));
  }
  return { state: "more", removed: ids.length };
}

function belongsNowhere() {
  return sql`not exists (select from ${members} where ${members.userId} = ${users.id})`;
}

function hasAttested() {
  return sql<boolean>`exists (select from ${attestations} where ${attestations.userId} = ${users.id})`;
}

/**
 * Removes ended predictions: first their files, then their rows. A prediction that still runs ends by its
 * deadline and is removed afterwards.
 */
async function predictions(queries: Queries, accountId: string): Promise<Batch> {
  return expireThenDelete(queries, "predictions", accountId, {
    mayGo: sql`data_removed_at is not null and status not in ('starting', 'processing')`,
    expire: sql`expires_at = now()`,
    lives: sql`data_removed_at is null and status not in ('starting', 'processing') and (expires_at is null or expires_at > now())`,
  });
}

async function uploads(queries: Queries, accountId: string): Promise<Batch> {
  return expireThenDelete(queries, "uploads", accountId, {
    mayGo: sql`status in ('expired', 'rejected') and storage_key is null`,
    expire: sql`url_expires_at = least(url_expires_at, now()), object_expires_at = now()`,
    lives: sql`status in ('pending', 'uploaded', 'verified') and (status = 'pending' and url_expires_at > now()
      or status <> 'pending' and (object_expires_at is null or object_expires_at > now()))`,
  });
}

interface Expiring {
  /** Condition on rows whose files are gone, so that the rows can be deleted. */
  mayGo: SQL;
  expire: SQL;
  /** Condition on rows that still have files, which the sweep of their table will remove. */
  lives: SQL;
}

async function expireThenDelete(
  queries: Queries,
  table: string,
  accountId: string,
  { mayGo, expire, lives }: Expiring,
): Promise<Batch> {
  const name = sql.raw(table);
  const some = (which: SQL) =>
    sql`array(select id from ${name} where account_id = ${accountId} and ${which} limit ${batchSize})`;
  const deleted = await countOf(queries, sql`delete from ${name} where id = any (${some(mayGo)})`);
  if (deleted > 0) return { state: "more", removed: deleted };
  const expired = await countOf(queries, sql`update ${name} set ${expire} where id = any (${some(lives)})`);
  if (expired > 0) return { state: "more", removed: 0 };
  return { state: await waitedFor(queries, table, accountId), removed: 0 };
}

/** A series is deleted with its last figures. */
async function figures(queries: Queries, accountId: string): Promise<Batch> {
  const deleted = await countOf(
    queries,
    sql`delete from figures where ctid = any (array(
      select f.ctid from figure_series s join figures f on f.series_id = s.id
      where s.account_id = ${accountId} limit ${batchSize}))`,
  );
  if (deleted > 0) return { state: "more", removed: deleted };
  await queries.execute(sql`delete from figure_additions where account_id = ${accountId}`);
  await queries.execute(sql`delete from figure_series where account_id = ${accountId}`);
  return { state: "done", removed: 0 };
}

async function keptOutputs(queries: Queries, accountId: string): Promise<Batch> {
  const expired = await countOf(
    queries,
    sql`update kept_outputs set kept_until = now() where output_id = any (array(
      select output_id from kept_outputs where account_id = ${accountId}
      and (kept_until is null or kept_until > now()) limit ${batchSize}))`,
  );
  if (expired > 0) return { state: "more", removed: expired };
  return { state: await waitedFor(queries, "kept_outputs", accountId), removed: 0 };
}

async function reservedFiles(queries: Queries, accountId: string): Promise<Batch> {
  const removed = await countOf(
    queries,
    sql`update generations set expires_at = now() where account_id = ${accountId} and expires_at > now()`,
  );
  return { state: await waitedFor(queries, "generations", accountId), removed };
}

/** Deletes batches together with their rows, which can be a thousand in each. */
async function batches(queries: Queries, accountId: string): Promise<Batch> {
  const deleted = await countOf(
    queries,
    sql`delete from batches where id = any (array(
      select id from batches where account_id = ${accountId} limit ${batchesAtOnce}))`,
  );
  return { state: deleted < batchesAtOnce ? "done" : "more", removed: deleted };
}

/**
 * Deletes deliveries together with their events and attempts. Waits for a delivery that is being sent. A
 * trigger deletes the rows with the deliveries' keys.
 */
async function deliveries(queries: Queries, accountId: string): Promise<Batch> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    with batch as (
      select d.id, d.event_id from webhook_delivery_keys k join webhook_deliveries d on d.id = k.id
      where k.account_id = ${accountId} and (d.lease_expires_at is null or d.lease_expires_at < now())
      order by k.id limit ${batchSize} for update of d skip locked
    ),
    deliveries as (delete from webhook_deliveries d using batch where d.id = batch.id),
    events as (delete from webhook_events e using batch where e.id = batch.event_id)
    select id from batch`);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0)
    return { state: await waitedFor(queries, "webhook_deliveries", accountId), removed: 0 };
  // Lists the ids instead of a join, so that only the partitions of these deliveries are searched.
  await queries.execute(sql`delete from webhook_attempts where delivery_id = any (${sql.param(ids)})`);
  return { state: "more", removed: ids.length };
}

/**
 * Deletes rows of a table that has no index on the account: searches all rows since the creation of the
 * account.
 */
function searched(table: string, key: string, firstKeyAt: (ms: number) => string): readonly [string, Step] {
  const [name, column] = [sql.raw(table), sql.raw(key)];
  const step: Step = async (queries, accountId, cursor) => {
    const from = cursor ?? firstKeyAt(timeOfId(accountId));
    const { rows } = await queries.execute<{ to: string | null; count: number }>(sql`
      select max(${column}) as to, count(*)::int as count
      from (select ${column} from ${name} where ${column} >= ${from} order by ${column} limit ${searchedAtOnce}) part`);
    const { to = null, count = 0 } = rows[0] ?? {};
    if (to === null) return { state: "done", removed: 0 };
    const removed = await countOf(
      queries,
      sql`delete from ${name} where ${column} >= ${from} and ${column} <= ${to} and account_id = ${accountId}`,
    );
    return count < searchedAtOnce ? { state: "done", removed } : { state: "more", removed, cursor: to };
  };
  return [table, step];
}

/** Names the account twice, because rows of different partitions can have the same `ctid`. */
function ofAccount(table: string): readonly [string, Step] {
  const name = sql.raw(table);
  const step: Step = async (queries, accountId) => {
    const deleted = await countOf(
      queries,
      sql`delete from ${name} where ctid = any (array(
        select ctid from ${name} where account_id = ${accountId} limit ${batchSize}))
        and account_id = ${accountId}`,
    );
    return { state: deleted < batchSize ? "done" : "more", removed: deleted };
  };
  return [table, step];
}

/** Sessions opened by keys; nothing else links them to the account. */
async function keySessions(queries: Queries, accountId: string): Promise<Batch> {
  const removed = await countOf(
    queries,
    sql`delete from sessions where key_hash in (
      select unnest(array[secret_hash, previous_secret_hash]) from api_keys where account_id = ${accountId})`,
  );
  return { state: "done", removed };
}

async function countOf(queries: Queries, statement: SQL): Promise<number> {
  return (await queries.execute(statement)).rowCount ?? 0;
}

/** A step is done when other sweeps and running work have left no row of its table. */
async function waitedFor(queries: Queries, table: string, accountId: string): Promise<"waiting" | "done"> {
  const { rows } = await queries.execute(
    sql`select from ${sql.raw(table)} where account_id = ${accountId} limit 1`,
  );
  return rows.length > 0 ? "waiting" : "done";
}
