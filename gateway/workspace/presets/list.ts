import type { List } from "#contract/list.ts";
import type { PresetQuery, PresetSummary } from "#contract/presets.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import { eq, getTableColumns } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { presets } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { changerOf, presetSummary } from "./view.ts";

/** Inputs are long, and a list shows none. */
const { input: _input, media: _media, ...listed } = getTableColumns(presets);

/** The account's presets, newest first. */
export async function listPresets(
  context: Context,
  accountId: string,
  query: PresetQuery,
): Promise<List<PresetSummary>> {
  const { queries } = context.database;
  const { model, api_type: apiType, search } = query;
  const page = keyset("preset", presets.id, query, [
    eq(presets.accountId, accountId),
    model === undefined ? undefined : eq(presets.model, model),
    apiType === undefined ? undefined : eq(presets.apiType, apiType),
    foundBy(search, {
      idColumn: presets.id,
      among: eq(presets.accountId, accountId),
      texts: [presets.name, presets.model],
    }),
  ]);
  const rows = await queries
    .select(listed)
    .from(presets)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const makerOf = await readMakers(queries, [...rows, ...rows.map(changerOf)]);
  return withTotal(
    queries,
    page,
    listOf(page, rows, (row) => presetSummary(context, row, makerOf)),
  );
}
