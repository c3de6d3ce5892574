import { isObject, type JsonObject } from "../schema-form/json.ts";
import { textOfMessage } from "../schema-form/messages.ts";

/** What the rows of a comparison were asked, in words. */
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

/** Where the input of a row is tried again in the playground: by its prediction, else by the row itself. */
export function rowHref(
  batchId: string,
  row: { row: number; model: string; api_type: string; run_id: string | null },
): string {
  const model = row.model.split("/").map(encodeURIComponent).join("/");
  const from = row.run_id?.startsWith("pred_") ? row.run_id : rowReference(batchId, row.row);
  return `/playground/${model}/${row.api_type}?from=${from}`;
}

/** Names a row of a batch where an id is asked for: `batch_….3`. */
function rowReference(batchId: string, row: number): string {
  return `${batchId}.${row}`;
}

/** The batch and the row that such a text names; null for anything else. */
export function readRowReference(text: string): { batchId: string; row: number } | null {
  const [, batchId, row] = /^(batch_[0-9a-z]+)\.([1-9]\d{0,3})$/.exec(text) ?? [];
  return batchId ? { batchId, row: Number(row) } : null;
}
