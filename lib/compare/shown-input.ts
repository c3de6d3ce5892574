import { isObject, type JsonObject } from "../schema-form/json.ts";
import { textOfMessage } from "../schema-form/messages.ts";

/** The prompt with which the rows of a comparison ran. */
export function shownText(inputs: readonly JsonObject[]): string | null {
  for (const { prompt, text, input, messages } of inputs) {
    const last: unknown = Array.isArray(messages) ? messages.at(-1) : null;
    const found = [prompt, text, input, isObject(last) ? textOfMessage(last) : null].find(
      (each) => typeof each === "string" && each !== "",
    );
    if (typeof found === "string") return found;
  }
  return null;
}

/**
 * Link to the playground with the input of a row: by the row's prediction if there is one, otherwise by the
 * row.
 */
export function rowHref(
  batchId: string,
  row: { row: number; model: string; api_type: string; run_id: string | null },
): string {
  const model = row.model.split("/").map(encodeURIComponent).join("/");
  const from = row.run_id?.startsWith("pred_") ? row.run_id : rowReference(batchId, row.row);
  return `/playground/${model}/${row.api_type}?from=${from}`;
}

/** The id of a batch's row: `batch_….3`. */
function rowReference(batchId: string, row: number): string {
  return `${batchId}.${row}`;
}

/** Parses the id of a row. Null for any other text. */
export function readRowReference(text: string): { batchId: string; row: number } | null {
  const [, batchId, row] = /^(batch_[0-9a-z]+)\.([1-9]\d{0,3})$/.exec(text) ?? [];
  return batchId ? { batchId, row: Number(row) } : null;
}
