import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import type { ExportPart, ExportRange } from "#gateway/platform/database/tables/accounts.ts";
import { type Section, sections } from "./sections.ts";

/** Most rows and bytes of files of a part, but for its last file. */
export interface PartSize {
  rows: number;
  fileBytes: number;
}

/** A part is small enough to be sent again after a break, and an account of usual size is a single part. */
export const partSize: PartSize = { rows: 50_000, fileBytes: 1_000_000_000 };

interface Piece extends ExportRange {
  rows: number;
  fileBytes: number;
}

/**
 * Divides everything of an account among parts. A part says which ids its rows are between, so it has the same
 * rows whenever it is sent, but for those that were removed since.
 */
export async function planParts(
  queries: Queries,
  accountId: string,
  wanted: (section: Section) => boolean,
  size: PartSize = partSize,
): Promise<ExportPart[]> {
  const parts: ExportPart[] = [];
  let part: ExportPart | undefined;
  for (const section of sections.filter(wanted))
    for (const { rows, fileBytes, ...range } of await piecesOf(queries, accountId, section, size)) {
      if (!part || part.rows + rows > size.rows || part.fileBytes + fileBytes > size.fileBytes) {
        part = { rows: 0, fileBytes: 0, ranges: [] };
        parts.push(part);
      }
      part.rows += rows;
      part.fileBytes += fileBytes;
      const last = part.ranges.at(-1);
      // A part has one file of a section.
      if (last?.section === range.section) last.until = range.until;
      else part.ranges.push(range);
    }
  return parts;
}

async function piecesOf(
  queries: Queries,
  accountId: string,
  { name, tables: [table], pieces }: Section,
  size: PartSize,
): Promise<Piece[]> {
  const whole = { section: name, after: null, until: null, fileBytes: 0 };
  if (table === undefined) return [{ ...whole, rows: 1 }];
  const { column = "1", bytes = "0", where = "true" } = pieces ?? {};
  // Both terms of `piece` grow along the list, so a piece is contiguous and within both limits.
  const { rows: found } = await queries.execute<{ until: string; rows: number; bytes: number }>(sql`
    with listed as (
      select ${sql.raw(column)}::text as id, (${sql.raw(bytes)})::float8 as bytes from ${sql.raw(table)}
      where account_id = ${accountId} and ${sql.raw(where)}
    ), summed as (
      select id, bytes, row_number() over newest as nth, sum(bytes) over newest - bytes as before
      from listed window newest as (order by id desc rows unbounded preceding)
    )
    select min(id) as until, count(*)::int as rows, sum(bytes) as bytes
    from (select *, (nth - 1) / ${size.rows} + floor(before / ${size.fileBytes}) as piece from summed) cut
    group by piece order by piece`);
  if (!pieces || found.length === 0)
    return [{ ...whole, rows: found.reduce((sum, { rows }) => sum + rows, 0) }];
  return found.map((piece, index) => ({
    section: name,
    after: found[index - 1]?.until ?? null,
    // The last piece has no end, in case the plan passes over a row that the list shows.
    until: index < found.length - 1 ? piece.until : null,
    rows: piece.rows,
    fileBytes: piece.bytes,
  }));
}
