import { createWriteStream } from "node:fs";
import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import { readActorNow } from "#gateway/access/accounts/read-credential.ts";
import { type Context, openDistricts } from "#gateway/districts.ts";
import { isConsentedTo, occupyExport } from "#gateway/edges/export/export.ts";
import { zipOfPart } from "#gateway/edges/export/part.ts";
import { planParts } from "#gateway/edges/export/plan.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readInstallation } from "#gateway/platform/core/config.ts";
import { and, asc, eq } from "#gateway/platform/database/drizzle.ts";
import { serializeError } from "#gateway/platform/database/failed-query.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { members } from "#gateway/platform/database/schema.ts";
import type { ExportPart } from "#gateway/platform/database/tables/accounts.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { buildServer } from "#gateway/server.ts";
import { assertAccountExists } from "./accounts.ts";
import { nameMissing, required, type StandaloneCommand } from "./command.ts";

const standardError = 2;

interface Wanted {
  accountId: string;
  folder: string;
  hasContents: boolean;
}

/** `gatehouse account export`: everything of an account in ZIP files, for its owner. */
export const exportAccount: StandaloneCommand = {
  usage: `account export --account <id> --to <folder> [--without-contents]

  --account <id>      as \`gatehouse account list\` prints it
  --to <folder>       gets a ZIP for each part. With the same folder, an export that broke off continues
  --without-contents  only figures, people, keys and the audit log

Contents need the consent of an owner, who gives it in the console for some days: Settings, Export. The audit log of the
account shows the export. Prints the names of the files.`,
  options: {
    account: { type: "string" },
    to: { type: "string" },
    "without-contents": { type: "boolean" },
  },
  prepare(values) {
    const wanted = {
      accountId: required(values, "account"),
      folder: path.resolve(required(values, "to")),
      hasContents: values["without-contents"] !== true,
    };
    return async (interrupted) => {
      const config = readInstallation();
      const log = pino(
        { level: "warn", serializers: { err: serializeError } },
        pino.destination({ fd: standardError, sync: true }),
      );
      const database = await openDatabase(config, log, "borrow");
      const districts = await openDistricts({ config, log, database, telemetry: null }).catch(
        async (error: unknown) => {
          await database.close();
          throw error;
        },
      );
      try {
        const app = await buildServer(districts);
        await app.ready();
        try {
          await exportTo(districts.context, app, wanted, interrupted);
        } finally {
          await app.close();
        }
      } finally {
        await districts.close();
      }
    };
  },
};

/** What the folder keeps about its export. */
interface Kept {
  account: string;
  begun_at: string;
  contents: boolean;
  parts: ExportPart[];
}

async function exportTo(context: Context, app: App, wanted: Wanted, left: AbortSignal): Promise<void> {
  const { accountId, folder, hasContents } = wanted;
  const { queries } = context.database;
  await assertAccountExists(queries, accountId);
  const actor = await ownerOf(context, accountId);
  const record = (action: "account.export_begun" | "account.export_part_sent", detail: object) =>
    recordAudit(queries, {
      ...{ accountId, actor: null, action, targetId: accountId },
      detail: { ...detail, by: "operator", contents: hasContents },
    });
  await assertConsent(context, wanted);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { parts, begun_at } = await planOf(context, wanted, (of) =>
    record("account.export_begun", { parts: of }),
  );
  const whole = sumOf(parts);
  for (const [index, part] of parts.entries()) {
    const number = index + 1;
    const name = `part-${String(number).padStart(String(parts.length).length, "0")}-of-${parts.length}.zip`;
    const file = path.join(folder, name);
    if (await exists(file)) continue;
    const leave = await waitForPlace(context, accountId, left);
    const consent = watchConsent(context, wanted, name);
    const ended = AbortSignal.any([left, consent.signal]);
    const done = sumOf(parts.slice(0, index));
    const shown = setInterval(() => showProgress(`${name}: ${progress(done, whole)}`), showEveryMs);
    try {
      await consent.check();
      const begunAt = new Date(begun_at);
      const zip = await zipOfPart({
        ...{ context, app, actor, begunAt, part, number, of: parts.length, hasContents, left: ended, done },
      });
      const source = Readable.fromWeb(zip as ReadableStream<Uint8Array>);
      // Only a whole part gets the name that a later run passes over.
      await pipeline(source, createWriteStream(`${file}.unfinished`, { mode: 0o600, flush: true }), {
        signal: ended,
      });
      await consent.check();
      await rename(`${file}.unfinished`, file);
    } catch (error) {
      if (!consent.signal.aborted) throw error;
      await rm(`${file}.unfinished`, { force: true });
      throw consent.signal.reason;
    } finally {
      consent.close();
      clearInterval(shown);
      leave();
    }
    await record("account.export_part_sent", { part: number, of: parts.length });
    showProgress(`${name}: ${progress(done, whole)}\n`);
    console.log(file);
  }
}

async function assertConsent({ database }: Context, { accountId, hasContents }: Wanted): Promise<void> {
  if (!hasContents || (await isConsentedTo(database.queries, accountId))) return;
  throw new Error(
    "No owner allows operators to export this account's contents. An owner does so in the console: Settings, Export. " +
      "Add --without-contents for figures, people, keys and the audit log only",
  );
}

/** The place of a run that was killed is free after 20 seconds. */
const placeWaitMs = 30_000;
const placeEveryMs = 1_000;

/** As `occupyExport`, but waits for the place of an earlier run that was killed. */
async function waitForPlace(context: Context, accountId: string, left: AbortSignal): Promise<() => void> {
  const since = performance.now();
  for (let tries = 0; ; tries += 1) {
    try {
      return await occupyExport(context, accountId);
    } catch (error) {
      const isOccupied = error instanceof ApiError && error.code === "concurrency_limit_exceeded";
      if (!isOccupied || performance.now() - since > placeWaitMs) throw error;
      if (tries === 0)
        showProgress("Waiting for another export of this account, or for the end of one that was killed\n");
    }
    await sleep(placeEveryMs, undefined, { signal: left });
  }
}

const consentEveryMs = 1_000;

/** Ends the part with the reason if the consent to it is withdrawn while it is written. */
function watchConsent({ database }: Context, { accountId, hasContents }: Wanted, part: string) {
  const withdrawn = new AbortController();
  const check = async () => {
    if (!hasContents || (await isConsentedTo(database.queries, accountId))) return;
    withdrawn.abort(
      new Error(
        `The export ended before ${part}: an owner no longer allows operators to export this account's contents, or the time ` +
          "of the consent is over. Whole parts stay in the folder. With a new consent, the same command continues",
      ),
    );
    withdrawn.signal.throwIfAborted();
  };
  // The database may be away for a moment: the part is not finished without a check.
  const timer = setInterval(() => void check().catch(() => {}), consentEveryMs);
  return { signal: withdrawn.signal, check, close: () => clearInterval(timer) };
}

/** The plan of an earlier run with this folder, or a new one. */
async function planOf(
  { database }: Context,
  { accountId, folder, hasContents }: Wanted,
  begun: (parts: number) => Promise<unknown>,
): Promise<Kept> {
  const file = path.join(folder, "export.json");
  if (await exists(file)) {
    const kept = JSON.parse(await readFile(file, "utf8").catch(nameMissing(file))) as Kept;
    if (kept.account !== accountId || kept.contents !== hasContents)
      throw new Error(`${folder} has another export. Choose an empty folder`);
    return kept;
  }
  const begunAt = clock.date().toISOString();
  const parts = await planParts(
    database.queries,
    accountId,
    ({ plain }) => hasContents || plain !== undefined,
  );
  const plan: Kept = { account: accountId, begun_at: begunAt, contents: hasContents, parts };
  await begun(parts.length);
  await writeFile(`${file}.unfinished`, JSON.stringify(plan), { mode: 0o600, flush: true });
  await rename(`${file}.unfinished`, file);
  return plan;
}

/** The first owner for whom the API works: the export has what they may see. */
async function ownerOf({ database }: Context, accountId: string): Promise<Actor> {
  const owners = await database.queries
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.role, "owner")))
    .orderBy(asc(members.createdAt));
  for (const { userId } of owners) {
    const actor = await readActorNow(database, { accountId, keyId: null, userId }).catch((error: unknown) => {
      if (error instanceof ApiError) return null;
      throw error;
    });
    if (actor) return actor;
  }
  throw new Error("This account has no owner who could read it");
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

type Sum = Pick<ExportPart, "rows" | "fileBytes">;

const sumOf = (parts: readonly Sum[]): Sum => ({
  rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  fileBytes: parts.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
});

const showEveryMs = 1_000;

function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${line}`);
  else if (line.endsWith("\n")) process.stderr.write(line);
}

function progress(done: Sum, whole: Sum): string {
  const [rows, of] = [done.rows, whole.rows].map((count) => count.toLocaleString("en"));
  const [unit, unitBytes] = whole.fileBytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  const [size, ofSize] = [done.fileBytes, whole.fileBytes].map((bytes) => (bytes / unitBytes).toFixed(2));
  return `${rows} of ${of} rows, ${size} of ${ofSize} ${unit} of files`;
}
