import { type InputTable, tableFromCsv, tableFromJsonLines, toCsv } from "../input-table.ts";
import { browserStore } from "../schema-form/drafts-store.ts";
import type { BatchColumn } from "./operations.ts";

/** The inputs of a batch before it starts. */
export interface BatchDraft {
  table: InputTable;
  /** The chosen file. Sent unchanged until a cell is edited, so that errors name the file's own lines. */
  file: { name: string; format: "csv" | "jsonl"; text: string } | null;
}

const emptyRows = 3;

/** An empty table with the columns that the operation requires. */
export function emptyDraft(columns: readonly BatchColumn[]): BatchDraft {
  const required = columns.filter((column) => column.required).map(({ name }) => name);
  const shown = required.length > 0 ? required : columns.slice(0, 1).map(({ name }) => name);
  return { table: { columns: shown, rows: Array.from({ length: emptyRows }, () => []) }, file: null };
}

/** A draft from a chosen file, which is JSONL by its name or first character, else CSV. */
export function draftFromFile(name: string, text: string): BatchDraft {
  const isJsonLines =
    /\.(jsonl|ndjson)$/i.test(name) || text.replace("\uFEFF", "").trimStart().startsWith("{");
  const format = isJsonLines ? "jsonl" : "csv";
  return { table: isJsonLines ? tableFromJsonLines(text) : tableFromCsv(text), file: { name, format, text } };
}

/** The part of a draft that is sent. */
export function sourceOf({ table, file }: BatchDraft): { csv: string } | { jsonl: string } {
  if (!file) return { csv: toCsv(table) };
  return file.format === "csv" ? { csv: file.text } : { jsonl: file.text };
}

/** Indexes in the table of the rows that are sent: CSV skips empty rows. */
export function rowsSent({ table, file }: BatchDraft): number[] {
  const isSent = (cells: readonly string[]) => file !== null || cells.some((cell) => cell !== "");
  return table.rows.flatMap((cells, row) => (isSent(cells) ? row : []));
}

/** A larger draft stays in the page, but is lost when the page is left. */
const maxStoredCharacters = 1_000_000;

const keyOf = (accountId: string, operation: string) => `gatehouse:batch:${accountId}:${operation}`;

/** Drafts in this browser, one per account and operation. */
export function loadDraft(accountId: string, operation: string): BatchDraft | null {
  try {
    const text = browserStore()?.getItem(keyOf(accountId, operation));
    return text ? (JSON.parse(text) as BatchDraft) : null;
  } catch {
    return null;
  }
}

/** False if the browser could not store it. */
export function saveDraft(accountId: string, operation: string, draft: BatchDraft | null): boolean {
  try {
    const store = browserStore();
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
