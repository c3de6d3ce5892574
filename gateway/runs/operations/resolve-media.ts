import path from "node:path";
import { paramAt } from "#contract/checks/request-check.ts";
import { uploadMaxBytes } from "#contract/upload.ts";
import { type Spooled, spool, TooManyBytesError } from "#gateway/files/storage/scratch.ts";
import { sniffFile } from "#gateway/files/storage/sniff.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import type { ResolvedMedia } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { openMediaSource, type RequestFiles, tooLarge } from "./resolve-media-source.ts";

interface MediaRequest {
  accountId: string;
  compiled: CompiledOperation;
  body: Record<string, unknown>;
  files: RequestFiles;
  /** The operation's limits: `maxInputBytes` applies to each file, `maxInputImages` to their number. */
  limits: Record<string, unknown>;
  signal: AbortSignal;
  /** A private folder of the caller, who removes it. */
  directory: string;
}

type MediaValue = ReturnType<CompiledOperation["mediaOf"]>[number];

/**
 * Makes every media value of a body a local file: files of the request stay where they are; uploads and the
 * gateway's own URLs (from the store), data URIs, and https URLs (through the address guard) are written into
 * `directory`. Sizes are counted while receiving and types are sniffed; declared ones are ignored. Throws
 * `upload_not_usable`, `media_fetch_failed`, `input_too_large` or `unsupported_content_type`, naming the
 * field.
 */
export function resolveMedia(context: RunsContext, request: MediaRequest): Promise<ResolvedMedia[]> {
  const work = () => resolveAll(context, request);
  return context.telemetry ? context.telemetry.step("receive media", work) : work();
}

async function resolveAll(context: RunsContext, request: MediaRequest): Promise<ResolvedMedia[]> {
  const values = request.compiled.mediaOf(request.body);
  checkImageCount(values, request.limits);
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  let failure: unknown = null;
  const resolved = await Promise.all(
    values.map((value) =>
      resolveOne(context, { ...request, signal }, value).catch((error: unknown) => {
        // The first failure stops the other downloads; all must end before the folder is removed.
        failure ??= error;
        stop.abort();
        return null;
      }),
    ),
  );
  if (failure !== null) throw failure;
  return resolved.filter((media) => media !== null);
}

async function resolveOne(
  context: RunsContext,
  request: MediaRequest,
  value: MediaValue,
): Promise<ResolvedMedia> {
  const param = paramOf(value);
  const maxBytes = maxBytesOf(value, request.limits);
  const spooled = await receive(context, request, value, maxBytes);
  const { file, sizeBytes, sha256 } = spooled;
  const sniffed = await sniffFile(file);
  if (!sniffed)
    throw new ApiError(
      "unsupported_content_type",
      `${param} is not an image, audio or video file of an accepted type.`,
      { param },
    );
  const kind = value.kind === "any" ? sniffed.family : value.kind;
  const contentType = sniffed.types[kind];
  if (!contentType)
    throw new ApiError(
      "unsupported_content_type",
      `${param} must be ${kind}, but the file is ${sniffed.types[sniffed.family]}.`,
      { param },
    );
  return { path: value.path, kind, contentType, sizeBytes, sha256, file: path.resolve(file) };
}

async function receive(
  context: RunsContext,
  { accountId, signal, directory, files }: MediaRequest,
  value: MediaValue,
  maxBytes: number,
): Promise<Spooled> {
  const param = paramOf(value);
  const file = files.get(value.value);
  if (file && file.sizeBytes > maxBytes) throw tooLarge(param, maxBytes);
  if (file) return file;
  const source = await openMediaSource(context, { accountId, text: value.value, param, maxBytes, signal });
  try {
    return await spool(source.body, directory, maxBytes);
  } catch (error) {
    if (error instanceof TooManyBytesError) throw tooLarge(param, maxBytes);
    if (error instanceof ApiError || signal.aborted) throw error;
    throw new ApiError("media_fetch_failed", `${param} is incomplete: the transfer ended early.`, {
      param,
      cause: error,
    });
  } finally {
    await source.close();
  }
}

function checkImageCount(values: readonly MediaValue[], limits: Record<string, unknown>): void {
  const images = values.filter(({ kind }) => kind === "image");
  const param = images.at(-1)?.path.split("/")[1];
  if (param !== undefined) refuseManyImages(param, images.length, limits);
}

/** Throws `input_too_large` for more images than the operation accepts. */
export function refuseManyImages(
  param: string,
  count: number,
  { maxInputImages }: Record<string, unknown>,
): void {
  if (typeof maxInputImages !== "number" || count <= maxInputImages) return;
  throw new ApiError(
    "input_too_large",
    `${param} has ${count} images; at most ${maxInputImages} are accepted.`,
    { param },
  );
}

/** The limit for one file. */
export function maxBytesOf(
  { kind }: Pick<MediaValue, "kind">,
  { maxInputBytes }: Record<string, unknown>,
): number {
  if (typeof maxInputBytes === "number") return maxInputBytes;
  return uploadMaxBytes[kind === "any" ? "video" : kind];
}

function paramOf({ path: pointer }: MediaValue): string {
  return paramAt(pointer);
}
