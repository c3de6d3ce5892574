import { type BatchCheckRequest, batchLimits } from "#contract/batches.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { readUploads, uploadNamed } from "#gateway/runs/operations/resolve-media-source.ts";
import { fromCsv, fromJsonLines, fromRows, type Source } from "./sources.ts";

const sources = ["rows", "csv", "jsonl", "upload"] as const;

/**
 * The rows of a request. Throws `missing_parameter` or `invalid_parameter` when it does not have exactly one source,
 * `upload_not_usable`, and `input_too_large` for too many rows.
 */
export async function readSource(
  context: Context,
  accountId: string,
  request: BatchCheckRequest,
): Promise<Source> {
  const [named, another] = sources.filter((name) => request[name] !== undefined);
  if (named === undefined)
    throw new ApiError("missing_parameter", "Send the inputs in rows, csv, jsonl or upload.", {
      param: "rows",
    });
  if (another !== undefined)
    throw new ApiError("invalid_parameter", `Send the inputs in ${named} or in ${another}, not both.`, {
      param: another,
    });
  const source = await read(context, accountId, request);
  refuseManyNames(source, named);
  if (source.rows.length === 0 && source.faults.length === 0)
    throw new ApiError("invalid_parameter", "There are no rows.", { param: named });
  if (source.rows.length > batchLimits.maxRows) throw tooLarge(named, "rows", batchLimits.maxRows);
  return source;
}

/** What is kept, compared and answered grows with the names of fields, so they are bounded before anything else is done. */
function refuseManyNames({ rows, columns = 0 }: Source, param: string): void {
  if (columns > batchLimits.maxColumns) throw tooLarge(param, "columns", batchLimits.maxColumns);
  const names = new Set<string>();
  for (const { input } of rows)
    for (const name in input) {
      if (name.length > batchLimits.columnMaxLength)
        throw new ApiError(
          "invalid_parameter",
          `A column's name has at most ${batchLimits.columnMaxLength} characters; "${name.slice(0, 40)}…" is longer.`,
          { param },
        );
      names.add(name);
      if (names.size > batchLimits.maxColumns) throw tooLarge(param, "columns", batchLimits.maxColumns);
    }
}

function tooLarge(param: string, what: "rows" | "columns", most: number): ApiError {
  const limit = most.toLocaleString("en");
  return new ApiError(
    "input_too_large",
    `There are more than ${limit} ${what}, the most that a batch can have. Split them.`,
    { param },
  );
}

async function read(context: Context, accountId: string, request: BatchCheckRequest): Promise<Source> {
  if (request.rows) return fromRows(request.rows);
  if (request.csv !== undefined) return fromCsv(request.csv);
  if (request.jsonl !== undefined) return fromJsonLines(request.jsonl);
  return readUpload(context, accountId, request.upload ?? "");
}

async function readUpload(context: Context, accountId: string, text: string): Promise<Source> {
  const refuse = (why: string) => new ApiError("upload_not_usable", `upload: ${why}.`, { param: "upload" });
  const id = uploadNamed(text);
  if (id === null) throw refuse("it must be upload://upl_…");
  const upload = (await readUploads(context, accountId, [id])).get(id);
  if (!upload || "unusable" in upload) throw refuse(`the upload ${id} ${upload?.unusable}`);
  const { contentType, storageKey } = upload;
  if (contentType !== "text/csv" && contentType !== "application/jsonl")
    throw refuse(`the upload ${id} is ${contentType}; it must be text/csv or application/jsonl`);
  const object = await context.store.get(storageKey);
  if (!object) throw refuse(`the file of the upload ${id} was removed`);
  const chunks: Buffer[] = [];
  for await (const chunk of object.stream) chunks.push(chunk as Buffer);
  const content = decoded(Buffer.concat(chunks));
  if (content === null) throw refuse("the file is not UTF-8 text. In a spreadsheet, save it as CSV UTF-8");
  return contentType === "text/csv" ? fromCsv(content) : fromJsonLines(content);
}

/** UTF-8, or UTF-16 with the mark that Excel writes. */
function decoded(bytes: Buffer): string | null {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
