import {
  type AutomaticCopies,
  copiesCountedTo,
  type Destination,
  type DestinationCreate,
  type DestinationTest,
  type DestinationTry,
  type DestinationUpdate,
  destinationLimits,
} from "#contract/copies.ts";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted, type List, type SearchedPageQuery } from "#contract/list.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { type Actor, type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { lockName, readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { copies, destinations } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { checkUrl } from "#gateway/platform/network/address-guard.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import { tryBucket } from "../s3/buckets.ts";
import { openSecret, sealedSecret } from "../seal.ts";

/**
 * Adds a destination; its secret is never shown again. Throws `invalid_destination`, `invalid_parameter`,
 * `too_many_destinations`, and the errors of its models' gates.
 */
export async function createDestination(
  context: WorkspaceContext,
  caller: Caller,
  input: DestinationCreate,
): Promise<Destination> {
  const { actor } = caller;
  const { accountId } = actor;
  const endpointUrl = checkedAddress(context.config, input.endpoint_url);
  const choice = await checkedChoice(context, actor, {
    automatic: input.automatic ?? "off",
    models: input.models ?? [],
  });
  const id = newId("destination");
  return audited(context, caller, "destination.created", async (queries) => {
    await assertRoom(queries, accountId);
    const [row] = await queries
      .insert(destinations)
      .values({
        id,
        accountId,
        name: input.name.trim(),
        endpointUrl,
        region: input.region,
        bucket: input.bucket,
        prefix: withoutSlash(input.prefix ?? ""),
        pathStyle: input.path_style ?? true,
        accessKeyId: input.access_key_id,
        ...sealedSecret(context.config, id, input.secret_access_key),
        ...choice,
        ...madeBy(actor),
      })
      .returning();
    if (!row) throw new Error("The destination was not inserted");
    return {
      target: id,
      detail: {
        name: row.name,
        endpoint_url: endpointUrl,
        bucket: row.bucket,
        prefix: row.prefix,
        ...choice,
      },
      result: destinationView(row, noCopies),
    };
  });
}

/** An object name with a leading slash would have an empty first part. */
function withoutSlash(prefix: string): string {
  return prefix.replace(/^\/+/, "");
}

/** Counts under a lock, so that concurrent requests see each other. */
async function assertRoom(queries: Queries, accountId: string): Promise<void> {
  const { perAccount } = destinationLimits;
  await lockName(queries, `destinations of ${accountId}`);
  if ((await queries.$count(destinations, eq(destinations.accountId, accountId))) >= perAccount)
    throw new ApiError(
      "too_many_destinations",
      `An account has at most ${perAccount} destinations. Delete one first.`,
    );
}

type Changes = Partial<typeof destinations.$inferInsert>;

/**
 * Changes, pauses or resumes a destination. Waiting copies are tried at once with new settings, and when the
 * destination is resumed. The person who changes which files are copied, or to where, is responsible for them
 * from then on. Throws `destination_not_found`, `invalid_destination`, `invalid_parameter`, and the errors of
 * its models' gates.
 */
export async function updateDestination(
  context: WorkspaceContext,
  caller: Caller,
  id: string,
  input: DestinationUpdate,
): Promise<Destination> {
  const { actor } = caller;
  const { accountId } = actor;
  const place = placeChanges(context, id, input);
  const known = await findDestination(context.database.queries, accountId, id);
  const isOtherChoice = input.automatic !== undefined || input.models !== undefined;
  const isMoved = Object.keys(place).length > 0;
  const choice =
    isOtherChoice || isMoved
      ? {
          ...(await checkedChoice(context, actor, {
            automatic: input.automatic ?? known.automatic,
            models: input.models ?? known.models,
          })),
          ...madeBy(actor),
        }
      : {};
  const changes: Changes = {
    ...place,
    ...choice,
    ...(input.name !== undefined && { name: input.name.trim() }),
    ...(input.status !== undefined && { status: input.status }),
  };
  return audited(context, caller, "destination.updated", async (queries) => {
    const [before] = await queries
      .select()
      .from(destinations)
      .where(ownDestination(accountId, id))
      .for("no key update");
    if (!before) throw destinationNotFound();
    if (Object.keys(changes).length === 0) return { unchanged: await viewNow(queries, before) };
    const [after] = await queries
      .update(destinations)
      .set(changes)
      .where(eq(destinations.id, id))
      .returning();
    if (!after) throw destinationNotFound();
    if (isMoved || after.status !== before.status) await schedule(queries, after);
    const { secret_access_key: secret, ...shown } = input;
    return {
      target: id,
      detail: { ...shown, ...(secret !== undefined && { secret_hint: after.secretHint }) },
      result: await viewNow(queries, after),
    };
  });
}

/** The changes to the target. Earlier failures do not apply to a new target, so they are cleared. */
function placeChanges({ config }: WorkspaceContext, id: string, input: DestinationUpdate): Changes {
  const changes: Changes = {
    ...(input.endpoint_url !== undefined && { endpointUrl: checkedAddress(config, input.endpoint_url) }),
    ...(input.region !== undefined && { region: input.region }),
    ...(input.bucket !== undefined && { bucket: input.bucket }),
    ...(input.prefix !== undefined && { prefix: withoutSlash(input.prefix) }),
    ...(input.path_style !== undefined && { pathStyle: input.path_style }),
    ...(input.access_key_id !== undefined && { accessKeyId: input.access_key_id }),
    ...(input.secret_access_key !== undefined && sealedSecret(config, id, input.secret_access_key)),
  };
  return Object.keys(changes).length === 0 ? {} : { ...changes, lastError: null, lastErrorAt: null };
}

/** Makes waiting copies due now, or only when the destination is resumed. */
async function schedule(queries: Queries, { id, accountId, status }: DestinationRow): Promise<void> {
  await queries
    .update(copies)
    .set({ nextAttemptAt: status === "active" ? sql`now()` : null })
    .where(and(eq(copies.accountId, accountId), eq(copies.destinationId, id), eq(copies.status, "pending")));
}

/**
 * Deletes a destination with its log; the result of a running attempt is dropped. Throws
 * `destination_not_found`.
 */
export async function deleteDestination(
  { database }: WorkspaceContext,
  caller: Caller,
  id: string,
): Promise<Deleted> {
  const { accountId } = caller.actor;
  return audited({ database }, caller, "destination.deleted", async (queries) => {
    const [row] = await queries.delete(destinations).where(ownDestination(accountId, id)).returning();
    if (!row) throw destinationNotFound();
    return {
      target: id,
      detail: { name: row.name, endpoint_url: row.endpointUrl, bucket: row.bucket },
      result: deleted("destination", id),
    };
  });
}

/** The account's destinations, newest first. */
export async function listDestinations(
  { database: { queries } }: WorkspaceContext,
  accountId: string,
  query: SearchedPageQuery,
): Promise<List<Destination>> {
  const page = keyset("destination", destinations.id, query, [
    eq(destinations.accountId, accountId),
    foundBy(query.search, {
      idColumn: destinations.id,
      among: eq(destinations.accountId, accountId),
      texts: [destinations.name, destinations.bucket, destinations.prefix, destinations.endpointUrl],
    }),
  ]);
  return readPage(queries, page, queries.select().from(destinations).$dynamic(), async (rows) => {
    const counts = await countsOf(
      queries,
      accountId,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => destinationView(row, counts(row.id)));
  });
}

/** Throws `destination_not_found`. */
export async function getDestination(
  { database: { queries } }: WorkspaceContext,
  accountId: string,
  id: string,
): Promise<Destination> {
  return viewNow(queries, await findDestination(queries, accountId, id));
}

type Counts = Pick<Destination, "waiting_copies" | "failed_copies">;

function destinationView(row: DestinationRow, counts: Counts): Destination {
  return {
    id: row.id,
    object: "destination",
    name: row.name,
    endpoint_url: row.endpointUrl,
    region: row.region,
    bucket: row.bucket,
    prefix: row.prefix,
    path_style: row.pathStyle,
    access_key_id: row.accessKeyId,
    secret_hint: row.secretHint,
    automatic: row.automatic,
    models: row.models,
    status: row.status,
    last_copied_at: row.lastCopiedAt?.toISOString() ?? null,
    last_error: row.lastError,
    last_error_at: row.lastErrorAt?.toISOString() ?? null,
    ...counts,
    created_at: row.createdAt.toISOString(),
  };
}

const noCopies: Counts = { waiting_copies: 0, failed_copies: 0 };

/** The numbers of waiting and failed copies, counted up to the contract's limit. */
async function countsOf(
  queries: Queries,
  accountId: string,
  ids: readonly string[],
): Promise<(id: string) => Counts> {
  if (ids.length === 0) return () => noCopies;
  const counted = (status: string) => sql`(select count(*)::int from (
    select from copies c where c.account_id = ${accountId} and c.destination_id = d.id and c.status = ${status}
    limit ${copiesCountedTo}) counted)`;
  const { rows } = await queries.execute<{ id: string } & Counts>(sql`
    select d.id, least(${copiesCountedTo}, ${counted("pending")} + ${counted("copying")}) as waiting_copies,
      ${counted("failed")} as failed_copies
    from unnest(${sql.param([...ids])}::text[]) as d (id)`);
  const byId = new Map(rows.map(({ id, ...counts }) => [id, counts]));
  return (id) => byId.get(id) ?? noCopies;
}

/** One destination with its current counts. */
async function viewNow(queries: Queries, row: DestinationRow): Promise<Destination> {
  const counts = await countsOf(queries, row.accountId, [row.id]);
  return destinationView(row, counts(row.id));
}

export type DestinationRow = typeof destinations.$inferSelect;

/** Matches one destination of the account. */
function ownDestination(accountId: string, id: string) {
  return and(eq(destinations.id, id), eq(destinations.accountId, accountId));
}

/** Throws `destination_not_found`. */
async function findDestination(queries: Queries, accountId: string, id: string): Promise<DestinationRow> {
  const [row] = await queries.select().from(destinations).where(ownDestination(accountId, id));
  if (!row) throw destinationNotFound();
  return row;
}

/**
 * An active destination, locked so that it stays unchanged until the transaction ends. Every transaction that
 * locks a destination and its copies locks the destination first. Throws `destination_not_found`,
 * `destination_paused`.
 */
export async function lockActive(queries: Queries, accountId: string, id: string): Promise<DestinationRow> {
  const [row] = await queries.select().from(destinations).where(ownDestination(accountId, id)).for("share");
  if (!row) throw destinationNotFound();
  if (row.status === "paused")
    throw new ApiError(
      "destination_paused",
      "Resume the destination first: nothing is copied while it is paused.",
    );
  return row;
}

function destinationNotFound(): ApiError {
  return new ApiError("destination_not_found", "There is no such destination.");
}

interface Choice {
  automatic: AutomaticCopies;
  models: string[];
}

/**
 * Which files are copied automatically. Any model is accepted, because it may be added later; for a gated one
 * the caller must have attested. Throws `invalid_parameter`, `adult_attestation_required`,
 * `portrait_rights_attestation_required`.
 */
async function checkedChoice(
  context: WorkspaceContext,
  actor: Actor,
  { automatic, models }: Choice,
): Promise<Choice> {
  if (automatic !== "chosen") return { automatic, models: [] };
  if (models.length === 0) throw invalidParameter("models", "Name the models whose files are copied.");
  const { catalog } = context;
  for (const model of models)
    if (catalog.has(model, actor.accountId)) await assertMayLook(context, actor, model);
  return { automatic, models };
}

/** An S3 server's URL in stored form. Throws `invalid_destination` if it can never be public. */
function checkedAddress({ webhooks }: Pick<Config, "webhooks">, text: string): string {
  const checked = checkUrl(text, webhooks);
  if (!checked.ok)
    throw refused(`This address ${checked.reason}. Use the public https address of the server.`);
  if (checked.url.search !== "") throw refused("This address has a query (?…). Leave it out.");
  return checked.url.href.replace(/\/+$/, "");
}

function refused(message: string): ApiError {
  return new ApiError("invalid_destination", message, { param: "endpoint_url" });
}

/**
 * The limit is per account, because each test sends a few requests to a server that may not belong to the
 * account.
 */
const tests: Limit = { name: "destination tests", count: 20, periodMs: 60_000 };

/** Tests unsaved settings. Throws `invalid_destination`, `rate_limit_exceeded`. */
export async function trySettings(
  context: WorkspaceContext,
  { actor }: Caller,
  input: DestinationTry,
): Promise<DestinationTest> {
  const endpointUrl = checkedAddress(context.config, input.endpoint_url);
  await takeTest(context, actor.accountId);
  return tryBucket(context.config, {
    endpointUrl,
    region: input.region,
    bucket: input.bucket,
    prefix: withoutSlash(input.prefix ?? ""),
    pathStyle: input.path_style ?? true,
    accessKeyId: input.access_key_id,
    secretAccessKey: input.secret_access_key,
  });
}

/**
 * Tests a destination; the test's error becomes its last error. Throws `destination_not_found`,
 * `rate_limit_exceeded`.
 */
export async function testDestination(
  context: WorkspaceContext,
  caller: Caller,
  id: string,
): Promise<DestinationTest> {
  const { config, database } = context;
  const { accountId } = caller.actor;
  const row = await findDestination(database.queries, accountId, id);
  await takeTest(context, accountId);
  const test = await tryBucket(config, { ...row, secretAccessKey: openSecret(config, row) });
  return audited(context, caller, "destination.tested", async (queries) => {
    await queries
      .update(destinations)
      .set({ lastError: test.error, lastErrorAt: test.error && clock.date() })
      .where(eq(destinations.id, id));
    return {
      target: id,
      detail: { ok: test.ok, ...(test.error && { error: test.error.code }) },
      result: test,
    };
  });
}

async function takeTest({ limiter }: WorkspaceContext, accountId: string): Promise<void> {
  const taken = await limiter.take(accountId, tests);
  if (!taken.allowed)
    throw tooManyRequests(`More than ${tests.count} destinations a minute were tested.`, taken);
}
