import type { Item, Response } from "#contract/responses.ts";
import { attestationsToLook, Clearance } from "#gateway/models/catalog/clearance.ts";
import { type Actor, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { nextTurn, yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { together } from "#gateway/platform/core/together.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { responseEvents, responseJobs, responses } from "#gateway/platform/database/schema.ts";
import type { ReceiptFacts } from "#gateway/platform/database/tables/predictions.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { takeFacts } from "#gateway/runs/provenance/receipts/receipts.ts";
import { withoutSealed } from "./format-response.ts";

export type ResponseRow = typeof responses.$inferSelect;

/** Limits for a conversation that is continued, in responses and bytes. */
const maxBefore = { responses: 1_000, bytes: 16_000_000 };
/** One statement loads at most this much, or one response. */
const loadedAtOnceBytes = 4_000_000;
/** Parsing up to this size does not noticeably delay others. */
const smallBytes = 200_000;

type NewRow = typeof responses.$inferInsert;

const savers = new WeakMap<Database, (row: NewRow) => Promise<void>>();

/**
 * Each insert updates the account's storage total, which is one row: responses that are saved together update
 * it only once.
 */
function saverOf(database: Database): (row: NewRow) => Promise<void> {
  const known = savers.get(database);
  if (known) return known;
  const fresh = together<NewRow>(
    async (rows) => void (await database.queries.insert(responses).values(rows)),
    { weightOf: ({ storedBytes }) => storedBytes, maxWeight: 4_000_000, maxItems: 100 },
  );
  savers.set(database, fresh);
  return fresh;
}

interface Kept {
  response: Response;
  /** The items that the response's request added to the conversation. */
  input: Item[];
}

/** Stores a response until its retention ends. */
export async function saveResponse(
  context: RunsContext,
  actor: Actor,
  kept: Kept,
  provider: string,
): Promise<void> {
  const gatesOf = await attestationsToLook(context);
  const othersRun = yieldToEventLoop();
  const receipt = await factsOfResponse(gatesOf, kept, provider);
  await othersRun();
  const row = responseRow(context, actor, kept);
  await othersRun();
  await saverOf(context.database)({ ...row, receipt });
}

/**
 * The content of an ended response for its receipt: as the API shows the response, without sealed thoughts.
 */
export function factsOfResponse(
  gatesOf: Parameters<typeof takeFacts>[0],
  { response, input }: Kept,
  provider: string | null,
): Promise<ReceiptFacts> {
  return takeFacts(gatesOf, {
    model: response.model,
    input: input.map(withoutSealed),
    output: response.output.map(withoutSealed),
    fileHashes: [],
    provider,
  });
}

/** A response as it is stored. One that still has to be made, until `deadlineAt`, expires later. */
export function responseRow(
  { retention }: RunsContext,
  actor: Actor,
  kept: Kept,
  deadlineAt = clock.date(),
): NewRow {
  return {
    ...kept,
    id: kept.response.id,
    accountId: actor.accountId,
    ...madeBy(actor),
    previousId: kept.response.previous_response_id,
    storedBytes: storedBytesOf(kept),
    createdAt: clock.date(),
    expiresAt: new Date(deadlineAt.getTime() + retention.of(actor.accountId)),
  };
}

export function storedBytesOf({ response, input }: Kept): number {
  return Buffer.byteLength(JSON.stringify(input)) + Buffer.byteLength(JSON.stringify(response));
}

/** A stored response of the account. Throws `response_not_found`. */
export async function findResponse(
  queries: Queries,
  accountId: string,
  id: string,
  among = lives,
): Promise<ResponseRow> {
  const [row] = await queries
    .select()
    .from(responses)
    .where(and(eq(responses.id, id), eq(responses.accountId, accountId), among));
  if (!row) throw new ApiError("response_not_found", `There is no response ${id}. It may have expired.`);
  return row;
}

/** A stored response as clients see it: one in the background has its current status. */
export async function responseNow(queries: Queries, accountId: string, id: string): Promise<Response> {
  const { response } = await findResponse(queries, accountId, id);
  if (response.status !== "queued") return response;
  const status = await unfinishedStatus(queries, id);
  // The response ended between the two reads.
  return status ? { ...response, status } : (await findResponse(queries, accountId, id)).response;
}

/** The status of a background response; null once it has ended. */
export async function unfinishedStatus(
  queries: Queries,
  id: string,
): Promise<"queued" | "in_progress" | null> {
  const [job] = await queries
    .select({ owner: responseJobs.leaseOwner })
    .from(responseJobs)
    .where(eq(responseJobs.id, id));
  if (!job) return null;
  return job.owner === null ? "queued" : "in_progress";
}

/**
 * Deletes a stored response: it can no longer be continued. Of one with a receipt stays, until it would have
 * expired, what the receipt says. Throws `response_not_found`.
 */
export function deleteResponse(database: Database, accountId: string, id: string): Promise<void> {
  return database.transaction(async (queries) => {
    const [row] = await queries
      .select()
      .from(responses)
      .where(and(eq(responses.id, id), eq(responses.accountId, accountId), lives))
      .for("update");
    if (!row) throw new ApiError("response_not_found", `There is no response ${id}.`);
    const isIt = eq(responses.id, id);
    if (row.receipt === null) {
      await queries.delete(responses).where(isIt);
      return;
    }
    await queries.delete(responseEvents).where(eq(responseEvents.responseId, id));
    await queries
      .update(responses)
      .set({ deletedAt: clock.date(), input: [], response: withoutContent(row.response), storedBytes: 0 })
      .where(isIt);
  });
}

/** What `GET /responses/{id}/receipt` reads. */
function withoutContent(response: Response): Response {
  const { id, object, model, svc_region, svc_cost, status, error, created_at, completed_at } = response;
  const kept = { id, object, model, svc_region, svc_cost, status, error, created_at, completed_at };
  return { ...kept, output: [] } as unknown as Response;
}

const hasTime = sql`${responses.expiresAt} > now()`;
const lives = sql`${hasTime} and ${responses.deletedAt} is null`;

/** As `findResponse`, also for a deleted response, whose content is gone. */
export function findReceiptOf(queries: Queries, accountId: string, id: string): Promise<ResponseRow> {
  return findResponse(queries, accountId, id, hasTime);
}

/**
 * All items of a conversation up to a response, oldest first, and the instructions of its first one. Throws `previous_response_not_found` if any
 * response of it was deleted: a conversation is never shortened silently. A key that may not read responses
 * continues only its own. Throws as `Clearance.assert` if a model that the caller may not look at made one of
 * them.
 */
export async function itemsUpTo(
  context: RunsContext,
  actor: Actor,
  id: string,
): Promise<{ items: Item[]; instructions: string | null }> {
  const { database } = context;
  const own = mayRead(actor) ? sql`true` : sql`key_id = ${actor.id}`;
  const { rows } = await database.queries.execute<{
    id: string;
    previous_id: string | null;
    bytes: number;
  }>(sql`
    with recursive conversation as (
      select id, previous_id, stored_bytes, 1 as place from responses
        where id = ${id} and account_id = ${actor.accountId} and expires_at > now() and deleted_at is null
          and ${own}
      union all
      select r.id, r.previous_id, r.stored_bytes, place + 1 from responses r join conversation c on r.id = c.previous_id
        where r.account_id = ${actor.accountId} and r.expires_at > now() and r.deleted_at is null and place <= ${maxBefore.responses})
    select id, previous_id, stored_bytes::float8 as bytes from conversation order by place desc`);
  const [first] = rows;
  if (first?.previous_id !== null)
    throw rows.length > maxBefore.responses
      ? tooLong("previous_response_id")
      : gone(id, first?.previous_id ?? id);
  refuseMuch(rows, "previous_response_id");
  const items = new Map<string, Item[]>();
  let instructions: string | null = null;
  for await (const { id: loaded, response, input } of load(context, actor, rows)) {
    if (response.status === "queued") throw unfinished(loaded);
    if (loaded === first.id) instructions = response.instructions;
    items.set(loaded, [...input, ...response.output]);
  }
  const inOrder = rows.flatMap((row) => {
    const own = items.get(row.id);
    if (!own) throw gone(id, row.id);
    return own;
  });
  return { items: inOrder, instructions };
}

/**
 * The items with these ids, to replace references. Throws `previous_response_not_found` for one that was
 * deleted.
 */
export async function itemsNamed(
  context: RunsContext,
  actor: Actor,
  references: readonly { id: string; place: string }[],
): Promise<ReadonlyMap<string, Item>> {
  const wanted = [...new Set(references.map(({ id }) => `resp_${id.split("_")[1] ?? ""}`))];
  if (wanted.length > maxBefore.responses) throw tooLong("input");
  const sizes = await context.database.queries
    .select({ id: responses.id, bytes: responses.storedBytes })
    .from(responses)
    .where(
      and(
        inArray(responses.id, wanted),
        eq(responses.accountId, actor.accountId),
        lives,
        mayRead(actor) ? undefined : eq(responses.keyId, actor.id),
      ),
    );
  refuseMuch(sizes, "input");
  const times = new Map<string, number>();
  for (const { id } of references) times.set(id, (times.get(id) ?? 0) + 1);
  const items = new Map<string, Item>();
  let bytes = 0;
  for await (const { input, response } of load(context, actor, sizes))
    for (const item of [...input, ...response.output]) {
      const named = typeof item.id === "string" ? times.get(item.id) : undefined;
      // The input of a later response may have the same reference.
      if (named === undefined || item.type === "item_reference") continue;
      items.set(String(item.id), item);
      // An item counts each time it is referenced, because the conversation then contains it that often.
      bytes += named * JSON.stringify(item).length;
      if (bytes > maxBefore.bytes) throw tooLong("input");
    }
  for (const { id, place } of references)
    if (!items.has(id))
      throw new ApiError(
        "previous_response_not_found",
        `${place}.id names ${id}, which is not stored here. Send the item itself.`,
        { param: `${place}.id` },
      );
  return items;
}

interface Sized {
  id: string;
  /** The stored size. */
  bytes: number;
}

/** Refuses too much content before it is loaded. */
function refuseMuch(rows: readonly Sized[], param: string): void {
  if (rows.reduce((sum, { bytes }) => sum + bytes, 0) > maxBefore.bytes) throw tooLong(param);
}

/**
 * The responses of these rows, a few at a time, for a caller who may see the output of their models. Rows
 * deleted meanwhile are left out. Throws as `Clearance.assert`.
 */
async function* load(
  context: RunsContext,
  actor: Actor,
  rows: readonly Sized[],
): AsyncGenerator<ResponseRow> {
  for (let at = 0; at < rows.length; ) {
    let bytes = 0;
    const ids: string[] = [];
    for (let row = rows[at]; row && (ids.length === 0 || bytes + row.bytes <= loadedAtOnceBytes); ) {
      ids.push(row.id);
      bytes += row.bytes;
      at += 1;
      row = rows[at];
    }
    const select = () =>
      context.database.queries
        .select()
        .from(responses)
        .where(and(inArray(responses.id, ids), lives))
        .execute();
    const loaded = bytes > smallBytes ? await oneByOne(select) : await select();
    const models = loaded.map(({ response }) => response.model);
    const clearance = await Clearance.of(context, actor, models);
    for (const model of models) clearance.assert(model);
    yield* loaded;
  }
}

let largeOnes: Promise<unknown> = Promise.resolve();

/**
 * Large conversations are read one at a time: their rows are parsed on arrival, and everything else waits for
 * that.
 */
async function oneByOne<Result>(read: () => Promise<Result>): Promise<Result> {
  const reading = largeOnes.then(read);
  largeOnes = reading.catch(() => {});
  const result = await reading;
  await nextTurn();
  return result;
}

function mayRead({ permissions }: Actor): boolean {
  return permissions.has("predictions:read");
}

function gone(asked: string, missing: string): ApiError {
  const why = asked === missing ? "is not kept here" : `continues ${missing}, which is no longer kept`;
  return new ApiError(
    "previous_response_not_found",
    `${asked} ${why}: it expired, was deleted, or was made with store: false. Send the conversation again.`,
    { param: "previous_response_id" },
  );
}

function unfinished(id: string): ApiError {
  return invalidParameter(
    "previous_response_id",
    `${id} is still being made in the background. Continue from it when it has ended.`,
  );
}

function tooLong(param: string): ApiError {
  return new ApiError(
    "input_too_large",
    `The conversation has more than ${maxBefore.responses.toLocaleString("en")} responses or ${maxBefore.bytes.toLocaleString("en")} bytes. Start a new one.`,
    { param },
  );
}

export const responseSweep = rowSweep({ kind: "responses", table: "responses", dueAt: "expires_at" });
