import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Permission } from "#contract/accounts/permissions.ts";
import { maxCsvRows } from "#contract/csv.ts";
import type { List } from "#contract/list.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { writeLine } from "#gateway/platform/core/formula-text.ts";
import { whenClosed } from "./when-closed.ts";

interface CsvFile {
  actor: Actor;
  /** The permission that the caller must keep while the file is sent; operators need none. */
  permission?: Permission;
  /** Name of the file without its ending. */
  name: string;
}

/** Streams a table while it is read. Stops when the caller disconnects or loses the permission. */
export function sendCsv(
  reply: FastifyReply,
  { actor, permission, name }: CsvFile,
  file: AsyncIterable<Buffer>,
): FastifyReply {
  const stream = Readable.from(file, { objectMode: false });
  // An export watches the credential of its own request, and has more rights while the account is being deleted.
  if (permission && !reply.request.inner?.actor)
    whenClosed(
      reply.raw,
      reply.server.watchCredential(actor, permission, () => stream.destroy()),
    );
  reply.headers({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}.csv"`,
  });
  return reply.send(stream);
}

/** The first line of a table, with a byte order mark, so that Excel reads it as UTF-8. */
export function csvHeader(columns: readonly string[]): Buffer {
  return Buffer.from(`\uFEFF${writeLine(columns)}`);
}

/** The most rows of a list in memory at any time. */
const rowsAtOnce = 500;

/**
 * Sends the rows of a list as a table with the fields of their schema, in the list's order, at most `maxCsvRows`. `read`
 * is the list's own read. The first page is read before the answer begins, so that a filter that the list refuses is an
 * error.
 */
export async function sendListAsCsv<Row>(
  reply: FastifyReply,
  file: CsvFile & { row: RowSchema },
  read: (page: { limit: number; after?: string }) => Promise<List<Row>>,
): Promise<FastifyReply> {
  const first = await read({ limit: rowsAtOnce });
  return sendCsv(reply, file, csvOf(first, columnsOf(file.row), read));
}

async function* csvOf<Row>(
  first: List<Row>,
  columns: readonly Column[],
  read: (page: { limit: number; after: string }) => Promise<List<Row>>,
): AsyncGenerator<Buffer> {
  yield csvHeader(columns.map(({ name }) => name));
  const lineOf = (row: Row) =>
    writeLine(columns.map(({ path }) => textOf(path.reduce(fieldOf, row as unknown))));
  const pause = yieldToEventLoop();
  let page = first;
  for (let written = 0; ; ) {
    const rows = page.data.slice(0, maxCsvRows - written);
    yield Buffer.from(rows.map(lineOf).join(""));
    written += rows.length;
    if (!page.has_more || page.last_id === null || written >= maxCsvRows) return;
    await pause();
    page = await read({ limit: rowsAtOnce, after: page.last_id });
  }
}

interface RowSchema {
  properties: Readonly<Record<string, object>>;
}

interface Column {
  name: string;
  path: string[];
}

/** A column for each field; the fields of an object, which may be null, have columns of their own: `actor_name`. */
function columnsOf({ properties }: RowSchema): Column[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (name === "object") return [];
    const { anyOf = [schema] } = schema as { anyOf?: object[] };
    const inner = anyOf.find((each): each is RowSchema => "properties" in each);
    return inner
      ? Object.keys(inner.properties).map((field) => ({ name: `${name}_${field}`, path: [name, field] }))
      : [{ name, path: [name] }];
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null)?.[name];
}

/** Metadata and details, whose fields are free, are JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
