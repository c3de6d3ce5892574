import { exportDays } from "#contract/accounts/account-export.ts";
import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import { attestationKinds } from "#contract/attestations.ts";
import type { EdgesContext } from "#gateway/edges/context.ts";
import { isObjectKey } from "#gateway/files/storage/object-store.ts";
import { keyOfOwnUrl } from "#gateway/files/storage/signed-urls.ts";
import { recordsOf } from "#gateway/models/providers/http/read-body.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import type { ExportPart, ExportRange } from "#gateway/platform/database/tables/accounts.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { askAs } from "#gateway/platform/http/inner-request.ts";
import { type Item, leftOut, type Section, sections } from "./sections.ts";

export interface PartJob {
  context: Pick<EdgesContext, "config" | "database" | "store">;
  app: App;
  /** The owner for whom it is made: it has what they may see. */
  actor: Actor;
  begunAt: Date;
  part: ExportPart;
  number: number;
  /** Number of all parts. */
  of: number;
  hasContents: boolean;
  /** Aborts when nobody reads any more. */
  left: AbortSignal;
  /** What was written so far. */
  done: Done;
}

export interface Done {
  rows: number;
  fileBytes: number;
}

const rowsAtOnce = 50;

/**
 * A part of an export as a ZIP, made while it is read. Rows come from the API's own routes, so they have its
 * shapes and its rules: nothing is in it that the owner could not read there.
 */
export async function zipOfPart(job: PartJob): Promise<ReadableStream<Uint8Array>> {
  const { makeZip } = await import("client-zip");
  return makeZip(entriesOf(job));
}

interface Entry {
  name: string;
  input: string | AsyncIterable<Uint8Array>;
  lastModified: Date;
}

interface Missing {
  file: string;
  section: string;
}

async function* entriesOf(job: PartJob): AsyncGenerator<Entry> {
  const { context, part, number, of, begunAt: lastModified, done } = job;
  const suffix = of === 1 ? "" : `-${String(number).padStart(String(of).length, "0")}`;
  yield { name: `README${suffix}.txt`, input: readmeOf(job), lastModified };
  const rows: Record<string, number> = {};
  const files = { count: 0, bytes: 0 };
  const missing: Missing[] = [];
  for (const range of part.ranges) {
    const section = sections.find(({ name }) => name === range.section);
    if (!section) continue;
    const { name, ending = "jsonl" } = section;
    const before = done.rows;
    const keys = new Set<string>();
    const input = ending === "csv" ? textOf(job, section) : linesOf(job, section, range, keys);
    yield { name: `${name}${suffix}.${ending}`, input, lastModified };
    rows[name] = done.rows - before;
    for (const key of keys) {
      const object = await context.store.get(key);
      if (!object) {
        missing.push({ file: `files/${key}`, section: name });
        continue;
      }
      try {
        yield { name: `files/${key}`, input: object.stream as AsyncIterable<Buffer>, lastModified };
      } finally {
        // If the reader leaves in the middle of a file, nothing else closes that file's stream.
        object.stream.destroy();
      }
      files.count += 1;
      files.bytes += object.sizeBytes;
      done.fileBytes += object.sizeBytes;
    }
  }
  const manifest = {
    object: "account_export_part",
    account_id: job.actor.accountId,
    begun_at: lastModified.toISOString(),
    number,
    of,
    rows,
    files,
    missing,
  };
  yield {
    name: `manifest${suffix}.json`,
    input: `${JSON.stringify(manifest, null, 2)}\n`,
    lastModified,
  };
}

/** The rows of a section as JSONL. Adds the files that they name to `keys`. */
async function* linesOf(
  job: PartJob,
  section: Section,
  range: ExportRange,
  keys: Set<string>,
): AsyncGenerator<Buffer> {
  const write = (row: Item): Buffer => {
    const omitted = job.hasContents ? section.omit : section.plain?.omit;
    const fields = Object.entries(row).filter(([name]) => !omitted?.includes(name));
    const line = withoutSignatures(job.context, JSON.stringify(Object.fromEntries(fields)), (key) => {
      if (section.files && key.startsWith(section.files)) keys.add(key);
    });
    return Buffer.from(`${line}\n`);
  };
  for await (const listed of section.isUnlisted
    ? rowsOfTable(job, section, range)
    : listedRows(job, section, range)) {
    const row = section.detail ? ((await ask(job, section.detail(listed))) ?? listed) : listed;
    job.done.rows += 1;
    yield write(row);
    for (const { path, isWhole, detail } of section.beside?.(listed) ?? [])
      for await (const item of isWhole ? wholeList(job, path) : pagesOf(job, path)) {
        const whole = detail ? ((await ask(job, detail(item))) ?? item) : item;
        yield write({ of: listed.id, ...whole });
      }
  }
}

async function* listedRows(
  job: PartJob,
  { path, isWhole, pieces }: Section,
  { after, until }: ExportRange,
): AsyncGenerator<Item> {
  if (isWhole) return yield* wholeList(job, path);
  const query = new URLSearchParams({ created_before: job.begunAt.toISOString() });
  const paged = `${path}${path.includes("?") ? "&" : "?"}${query}`;
  for await (const row of pagesOf(job, paged, after)) {
    if (pieces && until !== null && String(row.id) < until) return;
    yield row;
  }
}

/** Rows that only their own routes show: their ids. */
async function* rowsOfTable(
  { context, actor, begunAt }: PartJob,
  { tables: [table = ""], pieces }: Section,
  { after, until }: ExportRange,
): AsyncGenerator<Item> {
  const name = sql.raw(table);
  for (let below = after; ; ) {
    const { rows } = await context.database.queries.execute<Item & { id: string }>(sql`
      select id from ${name}
      where account_id = ${actor.accountId} and ${sql.raw(pieces?.where ?? "true")} and created_at < ${begunAt.toISOString()}
        and (${below}::text is null or id < ${below}) and (${until}::text is null or id >= ${until})
      order by id desc limit ${rowsAtOnce}`);
    yield* rows;
    below = rows.at(-1)?.id ?? null;
    if (rows.length < rowsAtOnce) return;
  }
}

/** All rows of a list with pages; those of a batch are in row order. */
async function* pagesOf(job: PartJob, path: string, after: string | null = null): AsyncGenerator<Item> {
  for (let cursor: unknown = after; ; ) {
    const query = new URLSearchParams({ limit: String(rowsAtOnce) });
    if (cursor !== null) query.set("after", String(cursor));
    const page = await ask(job, `${path}${path.includes("?") ? "&" : "?"}${query}`);
    const rows = recordsOf(page?.data);
    yield* rows;
    cursor = page?.last_id ?? page?.last_row ?? null;
    if (page?.has_more !== true || cursor === null) return;
  }
}

/** The rows of a list without pages, or a single row. */
async function* wholeList(job: PartJob, path: string): AsyncGenerator<Item> {
  const answer = await ask(job, path);
  if (answer?.object === "list") yield* recordsOf(answer.data);
  else if (answer) yield answer;
}

const gone = new Set([404, 410]);
const hidden = new Set<string>(attestationKinds.map((kind) => `${kind}_attestation_required`));

/** An answer of the API to the owner; null if the row was removed meanwhile, or they may not see what is in it. */
async function ask(job: PartJob, path: string): Promise<Item | null> {
  const answer = await send(job, path);
  return isLeftOut(answer) ? null : (JSON.parse(answer.body) as Item);
}

function isLeftOut({ statusCode, body }: Awaited<ReturnType<typeof askAs>>): boolean {
  return gone.has(statusCode) || (statusCode === 403 && hidden.has(JSON.parse(body).error.code));
}

async function* textOf(job: PartJob, { path }: Section): AsyncGenerator<Buffer> {
  const { body } = await send(job, path);
  job.done.rows += Math.max(0, body.trimEnd().split("\n").length - 1);
  yield Buffer.from(body);
}

async function send({ app, actor, left }: PartJob, path: string) {
  left.throwIfAborted();
  const owner: Actor = { ...actor, permissions: permissionsOfRole("owner"), suspendedFor: null };
  const answer = await askAs(app, owner, `/v1${path}`, left);
  if (answer.statusCode >= 400 && !isLeftOut(answer))
    throw new Error(`The export could not read ${path}: ${answer.statusCode} ${answer.body.slice(0, 500)}`);
  return answer;
}

const address = /https?:\/\/[^\s"\\]+/g;
const hasSignature = /[?&][\w-]*signature=/i;

/**
 * The JSON with each signed address replaced: that of a file of this gateway by the file's place in the export,
 * that of another server by the address without its query. Calls `found` with each file.
 */
export function withoutSignatures(
  context: Pick<EdgesContext, "config">,
  json: string,
  found: (key: string) => void = () => {},
): string {
  return json.replace(address, (url) => {
    if (!hasSignature.test(url)) return url;
    const [bare = ""] = url.split("?");
    const key = readableKey(context, url);
    if (key !== null) found(key);
    const named = bare.split("/v1/files/")[1];
    return named !== undefined && isObjectKey(named) ? `files/${named}` : bare;
  });
}

/** The key of a file whose address was signed here. Others are somebody's text, and may name any file. */
function readableKey(context: Pick<EdgesContext, "config">, url: string): string | null {
  try {
    return keyOfOwnUrl(context, url);
  } catch {
    return null;
  }
}

function readmeOf({ actor, begunAt, number, of, part, hasContents }: PartJob): string {
  const names = new Set(part.ranges.map(({ section }) => section));
  const listed = sections.filter(({ name }) => names.has(name));
  const width = Math.max(...listed.map(({ name }) => name.length)) + 2;
  return `Export of the Gatehouse account ${actor.accountId}
Part ${number} of ${of}. Begun ${begunAt.toISOString()}: rows that were made later are not in it.
${hasContents ? "" : "Made by an operator without contents: only figures, people, keys, and the audit log without details.\n"}
To put the parts together, unpack all of them into one folder.

Each .jsonl file has one JSON object per line, in the shape in which the API shows it; the newest come first.
A row that belongs to another one follows it, and has its id in "of". "manifest" counts rows and files.
"files/..." in a row is the path of that file in this export.

In this part:

${listed.map(({ name, about }) => `  ${name.padEnd(width)}${about}`).join("\n")}

What is not in the export, and why:

- Files whose time is over: Gatehouse removed them. Their rows say so ("data_removed", "expires_at"), and
  "missing" in the manifest names files that were removed while the export ran.
- Inputs and outputs of models that need a statement (adult content, faces) which the owner has not made.
- Secrets: keys, passwords, signing secrets, second factors, and signatures in addresses.
- Changes since the beginning: a row is as it was when its part was sent.
${[...new Set(Object.values(leftOut))].map((reason) => `- ${reason[0]?.toUpperCase()}${reason.slice(1)}.`).join("\n")}

The parts can be downloaded for ${exportDays} days; each can be sent again.
`;
}
