import type { ModelSource, OperatorModel } from "#contract/operator/models.ts";
import type { Entry, EntryOperation } from "#gateway/models/catalog/entry.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { promptNameOf } from "./import/roles.ts";
import { mediaOf } from "./media-marks.ts";
import type { OwnModelRow, SettingsRow } from "./stored-models.ts";

const textOnly = ["text"] as const;

interface Parts {
  entry: Entry;
  settings: SettingsRow;
  /** Null for an entry of the specification. */
  own: { row: OwnModelRow; source: ModelSource } | null;
  running: number;
}

/** An entry in the operators' view. */
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
