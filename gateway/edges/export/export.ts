import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { FastifyReply } from "fastify";
import { type AccountExport, exportDays, exportRoutes } from "#contract/accounts/account-export.ts";
import { audited, byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { accountName, readPeople } from "#gateway/access/accounts/people.ts";
import type { EdgesContext } from "#gateway/edges/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { accountExports } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { clientLeft, whenClosed } from "#gateway/platform/http/when-closed.ts";
import { zipOfPart } from "./part.ts";
import { planParts } from "./plan.ts";

const dayMs = 86_400_000;

/** Everything of an account as ZIP files for its owner. */
export function installExport(app: App, context: EdgesContext): void {
  const { database } = context;
  const read = (accountId: string) => readExport(database.queries, accountId);
  serve(
    app,
    context,
    exportRoutes,
    {
      "GET /account/export": ({ caller }) => read(caller.actor.accountId),
      "POST /account/export": async ({ caller, body }) => {
        await beginExport(context, caller, body.name);
        return read(caller.actor.accountId);
      },
      "GET /account/export/parts/{number}": ({ caller, params }, reply) =>
        sendPart(context, app, caller, params.number, reply),
      "PUT /account/export/operator": async ({ caller, body }) => {
        await allowOperator(context, caller, body.until);
        return read(caller.actor.accountId);
      },
    },
    // A HEAD request would read the whole part.
    { "GET /account/export/parts/{number}": { exposeHeadRoute: false } },
  );
}

type Row = typeof accountExports.$inferSelect;
type Begun = Row & { begunAt: Date; parts: NonNullable<Row["parts"]> };

async function findExport(queries: Queries, accountId: string): Promise<Row | undefined> {
  const [row] = await queries.select().from(accountExports).where(eq(accountExports.accountId, accountId));
  return row;
}

function isBegun(row: Row | undefined): row is Begun {
  return !!row?.parts && row.begunAt !== null && expiryOf(row.begunAt) > clock.date();
}

const expiryOf = (begunAt: Date) => new Date(begunAt.getTime() + exportDays * dayMs);

async function readExport(queries: Queries, accountId: string): Promise<AccountExport> {
  const row = await findExport(queries, accountId);
  return {
    object: "account_export",
    export: isBegun(row) ? await viewOf(queries, row) : null,
    operator_until: consentOf(row)?.toISOString() ?? null,
  };
}

/** Whether an owner currently allows operators to export the account with its contents. */
export async function isConsentedTo(queries: Queries, accountId: string): Promise<boolean> {
  return consentOf(await findExport(queries, accountId)) !== null;
}

function consentOf(row: Row | undefined): Date | null {
  const until = row?.operatorUntil ?? null;
  return until !== null && until > clock.date() ? until : null;
}

async function viewOf(queries: Queries, { begunBy, begunAt, parts, sent }: Begun) {
  const people = await readPeople(queries, [begunBy]);
  return {
    begun_by: people.find(begunBy),
    begun_at: begunAt.toISOString(),
    expires_at: expiryOf(begunAt).toISOString(),
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    file_bytes: parts.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
    parts: parts.map(({ rows, fileBytes }, index) => ({
      number: index + 1,
      rows,
      file_bytes: fileBytes,
      sent_at: sent[index + 1] ?? null,
    })),
  };
}

/**
 * Plans the export of the caller's account; it replaces the last one. Throws `invalid_parameter` if the name
 * is not the account's, and `concurrency_limit_exceeded`.
 */
async function beginExport(
  { database, limiter }: Pick<EdgesContext, "database" | "limiter">,
  caller: Caller,
  name: string,
): Promise<void> {
  const { accountId, userId } = caller.actor;
  if ((await accountName(database.queries, accountId))?.trim() !== name.trim())
    throw invalidParameter("name", "Type the name of the account exactly as it is shown.");
  const begunAt = clock.date();
  // The plan reads the ids of all rows.
  const leave = await limiter.occupy(`plan of the export of ${accountId}`, 1);
  if (leave === null)
    throw new ApiError(
      "concurrency_limit_exceeded",
      "Another export of this account is being begun. Wait for that.",
      { retryAfterSeconds: 5 },
    );
  const parts = await planParts(database.queries, accountId, () => true).finally(leave);
  await audited({ database }, caller, "account.export_begun", async (queries) => {
    const begun = { begunBy: userId, begunAt, parts, sent: {} };
    await queries
      .insert(accountExports)
      .values({ accountId, ...begun })
      .onConflictDoUpdate({ target: accountExports.accountId, set: begun });
    return { target: accountId, detail: { parts: parts.length }, result: undefined };
  });
}

/**
 * Sends a part, one of an account at a time. A part that breaks off is sent again from its start; the others
 * stay. Throws `export_not_found`, `concurrency_limit_exceeded`.
 */
async function sendPart(
  context: EdgesContext,
  app: App,
  caller: Caller,
  number: number,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { actor } = caller;
  const { accountId } = actor;
  const row = await findExport(context.database.queries, accountId);
  const part = isBegun(row) ? row.parts[number - 1] : undefined;
  if (!isBegun(row) || !part)
    throw new ApiError(
      "export_not_found",
      isBegun(row)
        ? `The export has no part ${number}.`
        : `No export was begun in the last ${exportDays} days. Begin one first.`,
      { param: "number" },
    );
  whenClosed(reply.raw, await occupyExport(context, accountId));
  const { begunAt, parts } = row;
  const stream = Readable.fromWeb(
    (await zipOfPart({
      ...{ context, app, actor, begunAt, part, number, of: parts.length, hasContents: true },
      left: clientLeft(reply.raw),
      done: { rows: 0, fileBytes: 0 },
    })) as ReadableStream<Uint8Array>,
  );
  reply.raw.once("finish", () => {
    if (stream.readableEnded) void partWasSent(context, caller, begunAt, number);
  });
  whenClosed(
    reply.raw,
    reply.server.watchCredential(actor, "account:manage", () => stream.destroy()),
  );
  const ofMany = parts.length === 1 ? "" : `-part-${number}-of-${parts.length}`;
  reply.headers({
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="${accountId}-${begunAt.toISOString().slice(0, 10)}${ofMany}.zip"`,
  });
  return reply.send(stream);
}

/**
 * Lets one part of an account be made at a time, until the returned function is called. Throws
 * `concurrency_limit_exceeded`.
 */
export async function occupyExport(
  { limiter }: Pick<EdgesContext, "limiter">,
  accountId: string,
): Promise<() => void> {
  const leave = await limiter.occupy(`export of ${accountId}`, 1);
  if (leave !== null) return leave;
  throw new ApiError(
    "concurrency_limit_exceeded",
    "Another part of this account's export is being sent. Wait for its end.",
    { retryAfterSeconds: 5 },
  );
}

/** Records that all bytes of a part were sent, unless another export has begun since. */
async function partWasSent(
  { database, log }: EdgesContext,
  caller: Caller,
  begunAt: Date,
  number: number,
): Promise<void> {
  const { accountId } = caller.actor;
  try {
    await database.transaction(async (queries) => {
      const sent = sql`jsonb_set(${accountExports.sent}, ${`{${number}}`}, ${JSON.stringify(clock.date().toISOString())}::jsonb)`;
      const [row] = await queries
        .update(accountExports)
        .set({ sent })
        .where(
          sql`${accountExports.accountId} = ${accountId} and ${accountExports.begunAt} = ${begunAt.toISOString()}`,
        )
        .returning({ parts: accountExports.parts });
      if (!row) return;
      await recordAudit(queries, {
        ...byCaller(caller),
        action: "account.export_part_sent",
        targetId: accountId,
        detail: { part: number, of: row.parts?.length ?? 0 },
      });
    });
  } catch (error) {
    log.warn({ err: error, account: accountId, part: number }, "a sent part of an export was not recorded");
  }
}

/** Allows an operator's export with contents until a time, or withdraws that. Throws `invalid_parameter`. */
async function allowOperator(context: EdgesContext, caller: Caller, until: string | null): Promise<void> {
  const { accountId } = caller.actor;
  const operatorUntil = until === null ? null : new Date(until);
  const now = clock.now();
  if (
    operatorUntil &&
    !(operatorUntil.getTime() > now && operatorUntil.getTime() <= now + exportDays * dayMs)
  )
    throw invalidParameter("until", `until must be a time within the next ${exportDays} days.`);
  await audited(context, caller, "account.export_consent_changed", async (queries) => {
    await queries
      .insert(accountExports)
      .values({ accountId, operatorUntil })
      .onConflictDoUpdate({ target: accountExports.accountId, set: { operatorUntil } });
    return {
      target: accountId,
      detail: { until: operatorUntil?.toISOString() ?? null },
      result: undefined,
    };
  });
}
