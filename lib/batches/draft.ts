import type { ApiType, BillingUnit, CatalogModel } from "#contract/catalog.ts";
import type { FormWords } from "@/lib/schema-form/labels";
import { planForm } from "@/lib/schema-form/plan-form";
import { type InputTable, tableFromCsv, tableFromJsonLines, toCsv } from "../input-table.ts";
import { tabStore } from "../schema-form/draft.ts";

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

/** The inputs of a batch before it starts. */
export interface BatchDraft {
  table: InputTable;
  /**
   * The chosen file. It is sent unchanged until somebody edits a cell, so that errors name the file's lines.
   */
  file: { name: string; format: "csv" | "jsonl"; text: string } | null;
}

const emptyRows = 3;

/** An empty table with the columns that the operation requires. */
export function emptyDraft(columns: readonly BatchColumn[]): BatchDraft {
  const required = columns.filter((column) => column.required).map(({ name }) => name);
  const shown = required.length > 0 ? required : columns.slice(0, 1).map(({ name }) => name);
  return { table: { columns: shown, rows: Array.from({ length: emptyRows }, () => []) }, file: null };
}

/** A draft from a chosen file. The file is JSONL by its name or first character, otherwise CSV. */
export function draftFromFile(name: string, text: string): BatchDraft {
  const isJsonLines =
    /\.(jsonl|ndjson)$/i.test(name) || text.replace("\uFEFF", "").trimStart().startsWith("{");
  const format = isJsonLines ? "jsonl" : "csv";
  return { table: isJsonLines ? tableFromJsonLines(text) : tableFromCsv(text), file: { name, format, text } };
}

/** The inputs that the draft sends to the gateway. */
export function sourceOf({ table, file }: BatchDraft): { csv: string } | { jsonl: string } {
  if (!file) return { csv: toCsv(table) };
  return file.format === "csv" ? { csv: file.text } : { jsonl: file.text };
}

/** Table indexes of the rows that are sent: CSV skips empty rows. */
export function rowsSent({ table, file }: BatchDraft): number[] {
  const isSent = (cells: readonly string[]) => file !== null || cells.some((cell) => cell !== "");
  return table.rows.flatMap((cells, row) => (isSent(cells) ? row : []));
}

/** Longest draft, as JSON, that the browser stores. A larger one is lost when the user leaves the page. */
const maxStoredCharacters = 1_000_000;

const keyOf = (accountId: string, operation: string) => `gatehouse:batch:${accountId}:${operation}`;

/** Drafts in this browser: one for each account and operation. */
export function loadDraft(accountId: string, operation: string): BatchDraft | null {
  try {
    const text = tabStore()?.getItem(keyOf(accountId, operation));
    return text ? (JSON.parse(text) as BatchDraft) : null;
  } catch {
    return null;
  }
}

/** Stores the draft. Returns false when the browser cannot. */
export function saveDraft(accountId: string, operation: string, draft: BatchDraft | null): boolean {
  try {
    const store = tabStore();
    store?.removeItem(keyOf(accountId, operation));
    if (!draft) return true;
    const text = JSON.stringify(draft);
    if (text.length > maxStoredCharacters || !store) return false;
    store.setItem(keyOf(accountId, operation), text);
    return true;
  } catch {
    return false;
  }
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
export function batchOperations(models: readonly CatalogModel[], t: FormWords): BatchOperation[] {
  return models
    .filter((model) => !model.safety_requirements.per_request_person_rights_confirmation_required)
    .flatMap((model) =>
      model.operations.map((operation) => ({
        model: model.id,
        apiType: operation.api_type,
        unit: operation.billing_unit,
        columns: columnsOf(model, operation, t),
        hasFiles: !textKinds.includes(operation.api_type),
      })),
    );
}

function columnsOf(
  model: CatalogModel,
  operation: CatalogModel["operations"][number],
  t: FormWords,
): BatchColumn[] {
  const isChat = operation.api_type === "chat-completions";
  const { fields } = planForm(model, operation, t);
  const columns = fields
    .filter(({ name }) => name !== "stream" && !(isChat && name === "messages"))
    .map(({ name, title, required }) => ({ name, title, required }));
  if (!isChat) return columns;
  // Messages do not fit into a cell, so a chat has the columns `prompt` and `system` instead.
  return [
    { name: "prompt", title: t("title.prompt"), required: true },
    { name: "system", title: t("title.system"), required: false },
    ...columns,
  ];
}
