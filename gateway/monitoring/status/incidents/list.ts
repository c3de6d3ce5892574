import type { List, PageQuery } from "#contract/list.ts";
import type { Incident } from "#contract/status.ts";
import type { Context } from "#gateway/context.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { incidents } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { withUpdates } from "./read.ts";

/** A page of all incidents, the last written first. Throws as `keyset`. */
export async function listIncidents({ database }: Context, query: PageQuery): Promise<List<Incident>> {
  const { queries } = database;
  const page = keyset("incident", incidents.id, query, []);
  const rows = await queries.select().from(incidents).where(page.where).orderBy(page.order).limit(page.limit);
  const list = listOf(page, await withUpdates(queries, rows), (incident) => incident);
  return withTotal(queries, page, list);
}
