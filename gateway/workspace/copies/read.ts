import type { Copy, CopyDetail, CopyQuery } from "#contract/copies.ts";
import type { List } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { idsByKind } from "#gateway/platform/database/by-kind.ts";
import { and, eq, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { type Keyset, keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { copies, outputs } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { copyDetail, copyView } from "./view.ts";

/** The log of copies, newest first. */
export async function listCopies(
  { database: { queries } }: Context,
  accountId: string,
  query: CopyQuery,
): Promise<List<Copy>> {
  const { destination, status, output_id: outputId } = query;
  const page = keyset("copy", copies.id, query, [eq(copies.accountId, accountId)]);
  const wanted = (destinationId: SQL, ofStatus: SQL) => [
    destination === undefined ? undefined : eq(destinationId, destination),
    status === undefined ? undefined : eq(ofStatus, status),
  ];
  const parts = [copies.destinationId, copies.status];
  const idsOf = (page: Keyset) => idsByKind(copies, { accountId, parts, wanted, page });
  const ofOutput = ({ where }: Keyset) =>
    and(
      where,
      eq(copies.outputId, outputId ?? ""),
      ...wanted(sql`${copies.destinationId}`, sql`${copies.status}`),
    );
  const rows = await queries
    .select({ copy: copies, output: outputs })
    .from(copies)
    .innerJoin(outputs, eq(outputs.id, copies.outputId))
    .where(outputId === undefined ? inArray(copies.id, idsOf(page)) : ofOutput(page))
    .orderBy(page.order)
    .limit(page.limit);
  const list = listOf(page, rows, ({ copy, output }) => copyView(copy, output));
  return withTotal(queries, page, list, (whole) =>
    outputId === undefined ? idsOf(whole) : sql`select 1 from ${copies} where ${ofOutput(whole)}`,
  );
}

/** One copy with its attempts. Throws `copy_not_found`. */
export async function getCopy(context: Context, accountId: string, id: string): Promise<CopyDetail> {
  const [found] = await context.database.queries
    .select({ copy: copies, output: outputs })
    .from(copies)
    .innerJoin(outputs, eq(outputs.id, copies.outputId))
    .where(and(eq(copies.id, id), eq(copies.accountId, accountId)));
  if (!found) throw copyNotFound(context, id);
  return copyDetail(found.copy, found.output);
}

export function copyNotFound({ history }: Context, id: string): ApiError {
  return new ApiError("copy_not_found", `There is no such copy.${forgottenNote(history, "copy", id)}`);
}
