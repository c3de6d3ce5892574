import type { OperatorModel, OperatorModelList } from "#contract/operator/models.ts";
import type { Context } from "#gateway/context.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { modelView } from "./model-view.ts";
import { countRunning, runningOf } from "./running.ts";
import { findOwnModel, findSettings, noSuchModel, readOwnModels, readSettings } from "./stored-models.ts";

interface Filter {
  q?: string | undefined;
  managed_by?: OperatorModel["managed_by"] | undefined;
}

/** All entries: first the operators', including those being deleted, then the specification's. */
export async function listModels(
  context: Context,
  { q, managed_by: manager }: Filter,
): Promise<OperatorModelList> {
  const { queries } = context.database;
  const own = manager === "specification" ? [] : await listOwn(queries);
  const published = manager === "operator" ? [] : await listPublished(queries);
  const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ id, display_name, operations }: OperatorModel): boolean => {
    const kinds = operations.map(({ api_type: kind }) => kind);
    const text = [id, display_name ?? "", ...kinds].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return { object: "list", data: [...own, ...published].filter(matches) };
}

async function listOwn(queries: Queries): Promise<OperatorModel[]> {
  const settings = await readSettings(queries);
  const running = await countRunning(queries);
  return (await readOwnModels(queries))
    .map(({ row, content }) => ({
      entry: content.entry,
      settings: settings.get(row.id) ?? unset(row.id),
      own: { row, source: content.source },
      running: running.filter(({ model }) => model === row.id).reduce((sum, one) => sum + one.running, 0),
    }))
    .filter((parts) => !parts.own.row.leftAt || parts.running > 0)
    .map(modelView);
}

async function listPublished(queries: Queries): Promise<OperatorModel[]> {
  const settings = await readSettings(queries);
  return ownEntries
    .load()
    .map((entry) =>
      modelView({ entry, settings: settings.get(entry.id) ?? unset(entry.id), own: null, running: 0 }),
    );
}

/** One entry. Throws `model_not_found`. */
export async function findModel(queries: Queries, id: string): Promise<OperatorModel> {
  const settings = await findSettings(queries, id);
  const published = ownEntries.load().find((entry) => entry.id === id);
  if (published) return modelView({ entry: published, settings, own: null, running: 0 });
  const own = await findOwnModel(queries, id);
  const running = own ? await runningOf(queries, id) : 0;
  if (!own || (own.row.leftAt && running === 0)) throw noSuchModel(id);
  const { row, content } = own;
  return modelView({ entry: content.entry, settings, own: { row, source: content.source }, running });
}

function unset(modelId: string) {
  return { modelId, displayName: null, hidden: false, accounts: null };
}
