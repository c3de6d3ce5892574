import type { ApiType, BillingUnit, CatalogModel } from "#contract/catalog.ts";
import { planForm } from "@/lib/schema-form/plan-form";

/** A possible column of a batch table. */
export interface BatchColumn {
  name: string;
  title: string;
  required: boolean;
}

/** The part of an operation that the page of a new batch needs. */
export interface BatchOperation {
  model: string;
  apiType: ApiType;
  unit: BillingUnit;
  columns: BatchColumn[];
  /** True when the outputs are files, which the gateway removes later. */
  hasFiles: boolean;
}

/** Kinds with results that are text instead of files. */
const textKinds: readonly ApiType[] = [
  "chat-completions",
  "audio-transcription",
  "voice-management",
  "embeddings",
  "rerank",
];

/** The operations that a batch can run: all except those that need a confirmation in each request. */
export function batchOperations(models: readonly CatalogModel[]): BatchOperation[] {
  return models
    .filter((model) => !model.safety_requirements.per_request_person_rights_confirmation_required)
    .flatMap((model) =>
      model.operations.map((operation) => ({
        model: model.id,
        apiType: operation.api_type,
        unit: operation.billing_unit,
        columns: columnsOf(model, operation),
        hasFiles: !textKinds.includes(operation.api_type),
      })),
    );
}

/** Messages do not fit into a cell, so a chat has the columns `prompt` and `system` instead. */
const chatColumns: BatchColumn[] = [
  { name: "prompt", title: "Prompt", required: true },
  { name: "system", title: "System", required: false },
];

function columnsOf(model: CatalogModel, operation: CatalogModel["operations"][number]): BatchColumn[] {
  const isChat = operation.api_type === "chat-completions";
  const { fields } = planForm(model, operation);
  const columns = fields
    .filter(({ name }) => name !== "stream" && !(isChat && name === "messages"))
    .map(({ name, title, required }) => ({ name, title, required }));
  return isChat ? [...chatColumns, ...columns] : columns;
}
