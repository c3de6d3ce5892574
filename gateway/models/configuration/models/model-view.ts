import type { ModelSource, OperatorModel, OperatorModelList } from "#contract/operator/models.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import type { Entry, EntryOperation } from "#gateway/models/catalog/entry.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { mediaOf } from "./change-entry.ts";
import { promptNameOf } from "./import/propose.ts";
import {
  countRunning,
  findOwnModel,
  findSettings,
  noSuchModel,
  type OwnModelRow,
  readOwnModels,
  readSettings,
  runningOf,
  type SettingsRow,
} from "./stored-models.ts";

const textOnly = ["text"] as const;

interface Parts {
  entry: Entry;
  settings: SettingsRow;
  /** Null for an entry of the specification. */
  own: { row: OwnModelRow; source: ModelSource } | null;
  running: number;
}

export function modelView({ entry, settings, own, running }: Parts): OperatorModel {
  return {
    id: entry.id,
    object: "operator.model",
    managed_by: own ? "operator" : "specification",
    state: own?.row.leftAt ? "leaving" : "active",
    running_predictions: running,
    revision: own?.row.revision ?? null,
    display_name: settings.displayName,
    hidden: settings.hidden,
    accounts: settings.accounts,
    created_at: own?.row.createdAt.toISOString() ?? null,
    updated_at: own?.row.updatedAt.toISOString() ?? null,
    ...contentView(entry, own?.source ?? null),
  };
}

/** The fields that belong to a revision. */
export function contentView(entry: Entry, source: ModelSource | null) {
  return {
    source,
    modality: entry.modality,
    regions: [...entry.regions],
    safety_requirements: entry.safety_requirements,
    description: entry.description ?? null,
    cover_url: entry.cover_url ?? null,
    input_modalities: entry.operations.some(({ engine }) => engine === "chat")
      ? [...(entry.input_modalities ?? textOnly)]
      : null,
    operations: entry.operations.map(operationView),
  };
}

function operationView(operation: EntryOperation): OperatorModel["operations"][number] {
  const { engine: _, internal, ...published } = operation;
  const prompt = promptNameOf(operation.api_type);
  return {
    ...published,
    fields: {
      prompt: prompt in recordOf(operation.input_schema.properties) ? prompt : null,
      media: { ...internal?.media, ...mediaOf(operation.input_schema) },
      output: internal?.output ?? null,
    },
  };
}

interface Filter {
  q?: string | undefined;
  managed_by?: OperatorModel["managed_by"] | undefined;
}

/** All entries: first the operators', including those being deleted, then the specification's. */
export async function listModels(
  context: ModelsContext,
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
