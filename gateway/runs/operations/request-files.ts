import { randomBytes } from "node:crypto";
import type { CatalogOperation } from "#contract/catalog.ts";
import type { Spooled } from "#gateway/files/storage/spool.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** The limit for all files of one request, in bytes; larger ones must be uploaded first. */
const maxBytes = 1_073_741_824;
const scheme = "request-file:";

/** A file sent in a request, in a folder that is removed with the request. */
export interface RequestFile extends Spooled {
  /** The field that contains the file. */
  param: string;
}

/** The files of a request, by their placeholder in the body. */
export type RequestFiles = ReadonlyMap<string, RequestFile>;

/** An unguessable placeholder for a file, so that no other value in a body can refer to that file. */
export function newFileReference(): string {
  return `${scheme}${randomBytes(16).toString("hex")}`;
}

/** Whether a media value refers to bytes in the request itself: an attached file, or a data URI. */
export function endsWithRequest(value: string): boolean {
  return value.startsWith(scheme) || value.startsWith("data:");
}

/** The limit for all files of one request for this operation, in bytes. */
export function maxFilesBytes({ limits }: Pick<CatalogOperation, "limits">): number {
  const { maxInputBytes, maxInputImages } = limits;
  if (typeof maxInputBytes !== "number") return maxBytes;
  return maxInputBytes * (typeof maxInputImages === "number" ? maxInputImages : 1);
}

/** The media kind of a file's field. Throws `invalid_parameter` if the operation accepts no file there. */
export function fileKind(compiled: CompiledOperation, param: string) {
  const [value] = ["file", ["file"]].flatMap((one) => compiled.mediaOf({ [param]: one }));
  if (value) return value.kind;
  throw noFileIn(compiled, param);
}

/** Throws `invalid_parameter` for a file in a field that accepts none. */
export function refuseStrayFiles(
  compiled: CompiledOperation,
  body: Record<string, unknown>,
  files: RequestFiles,
): void {
  const read = new Set(compiled.mediaOf(body).map(({ value }) => value));
  for (const [reference, { param }] of files) if (!read.has(reference)) throw noFileIn(compiled, param);
}

function noFileIn({ operation }: CompiledOperation, param: string): ApiError {
  return new ApiError("invalid_parameter", `${operation.id} accepts no file in ${param}.`, { param });
}

/** The error for a file that is larger than its operation or route accepts. */
export function tooLarge(param: string, maxBytes: number): ApiError {
  return new ApiError("input_too_large", `${param} is larger than ${maxBytes} bytes.`, { param });
}
