import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { type Dispatcher, request as send } from "undici";
import { byName } from "#contract/by-name.ts";
import type { CatalogOperation } from "#contract/catalog.ts";
import { isId } from "#contract/ids.ts";
import { keptOutputOf } from "#gateway/files/storage/remove-files.ts";
import type { Spooled } from "#gateway/files/storage/scratch.ts";
import { keyOfOwnUrl } from "#gateway/files/storage/signed-urls.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { outputs, uploads } from "#gateway/platform/database/schema.ts";
import {
  type AddressPolicy,
  BlockedAddressError,
  checkUrl,
  createGuardedAgent,
  NameNotResolvedError,
} from "#gateway/platform/network/address-guard.ts";
import { assertMayLeave } from "#gateway/platform/network/quiet.ts";
import type { RunsContext } from "#gateway/runs/context.ts";

const uploadScheme = "upload://";

interface SourceRequest {
  accountId: string;
  /** The value that the caller sent in the field. */
  text: string;
  /** The field name, for errors. */
  param: string;
  maxBytes: number;
  signal: AbortSignal;
}

interface MediaSource {
  body: Readable | Buffer;
  /** Always call this, whether or not the body was read. */
  close(): Promise<void>;
}

/** Opens the file of a media field. */
export async function openMediaSource(context: RunsContext, request: SourceRequest): Promise<MediaSource> {
  const { text, param } = request;
  const uploadId = uploadNamed(text);
  if (uploadId !== null) return openUpload(context, request, uploadId);
  if (/^data:/i.test(text)) return { body: decodeDataUri(request), close: async () => {} };
  const key = ownKey(context, request);
  if (key !== null) {
    await refuseOthersKept(context, request, key);
    return openStored(context, request, key);
  }
  if (/^https?:/i.test(text)) return fetchMedia(context, request);
  throw new ApiError("media_fetch_failed", `${param} must be upload://…, an https URL or a data URI.`, {
    param,
  });
}

const unusable = byName<string>({
  pending: "has not been received yet: PUT its bytes, then verify it",
  uploaded: "has not been verified yet: POST /v1/uploads/{id}/verify first",
  rejected: "was rejected when it was verified",
  expired: "has expired",
});

/** The upload id in a field: `upload://upl_…` or the bare id; null if it contains none. */
export function uploadNamed(text: string): string | null {
  if (text.startsWith(uploadScheme)) return text.slice(uploadScheme.length);
  return isId("upload", text) ? text : null;
}

type NamedUpload = { contentType: string; storageKey: string } | { unusable: string };

/** The account's uploads with these ids, each with its key or why it cannot be used. */
export async function readUploads(
  { database }: RunsContext,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, NamedUpload>> {
  const rows = await database.queries
    .select()
    .from(uploads)
    .where(and(inArray(uploads.id, [...ids]), eq(uploads.accountId, accountId)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(ids.map((id) => [id, usable(byId.get(id))]));
}

function usable(row: typeof uploads.$inferSelect | undefined): NamedUpload {
  if (!row) return { unusable: "does not exist" };
  const { status, storageKey, contentType, objectExpiresAt } = row;
  if (status !== "verified" || storageKey === null) return { unusable: unusable[status] ?? "cannot be used" };
  if (objectExpiresAt && objectExpiresAt <= clock.date()) return { unusable: "has expired" };
  return { contentType, storageKey };
}

async function openUpload(context: RunsContext, request: SourceRequest, id: string): Promise<MediaSource> {
  const { accountId, param } = request;
  const upload = (await readUploads(context, accountId, [id])).get(id);
  if (!upload || "unusable" in upload)
    throw new ApiError("upload_not_usable", `${param}: the upload ${id} ${upload?.unusable}.`, { param });
  return openStored(context, request, upload.storageKey);
}

/**
 * The object key behind one of our own signed URLs. The file is read from the store, because the address
 * guard would block our own address.
 */
function ownKey(context: RunsContext, { text, param }: SourceRequest): string | null {
  try {
    return keyOfOwnUrl(context, text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError("media_fetch_failed", `${param}: ${error.message}`, { param, cause: error });
  }
}

/**
 * A kept file belongs to its account indefinitely, so a leaked URL of the file must not work as another
 * account's input.
 */
async function refuseOthersKept(
  { database }: RunsContext,
  { accountId, param }: SourceRequest,
  key: string,
): Promise<void> {
  const id = keptOutputOf(key);
  if (id === null) return;
  const [row] = await database.queries
    .select({ id: outputs.id })
    .from(outputs)
    .where(and(eq(outputs.id, id), eq(outputs.accountId, accountId)));
  if (!row) throw new ApiError("media_fetch_failed", `${param}: the file was removed.`, { param });
}

async function openStored(context: RunsContext, { param }: SourceRequest, key: string): Promise<MediaSource> {
  const object = await context.store.get(key);
  if (!object) throw new ApiError("media_fetch_failed", `${param}: the file was removed.`, { param });
  const { stream } = object;
  return { body: stream, close: async () => void stream.destroy() };
}

function decodeDataUri({ text, param, maxBytes }: SourceRequest): Buffer {
  const comma = text.indexOf(",");
  const isBase64 = /;\s*base64$/i.test(text.slice(0, comma));
  const payload = text.slice(comma + 1);
  const refuse = (why: string) => new ApiError("media_fetch_failed", `${param} ${why}.`, { param });
  if (comma < 0) throw refuse("is not a complete data URI");
  if (!isBase64) throw refuse("must be a data URI with ;base64");
  // Four characters encode three bytes; checked before anything is decoded.
  if (payload.length > (maxBytes * 4) / 3 + 4) throw tooLarge(param, maxBytes);
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(payload)) throw refuse("is not valid base64");
  return Buffer.from(payload, "base64");
}

const connectTimeoutMs = 5000;

/** From the first DNS look-up to the last byte, with redirects. */
const totalTimeoutMs = 30_000;
const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a user's https URL through the address guard; every redirect is checked like the first address.
 * Throws `media_fetch_failed` or `input_too_large`, naming the field.
 */
async function fetchMedia(context: RunsContext, source: SourceRequest): Promise<MediaSource> {
  assertMayLeave();
  const { caFile } = context.config.webhooks;
  const agent = createGuardedAgent({ ...mediaPolicy(context), caFile, connectTimeoutMs });
  const deadline = AbortSignal.timeout(totalTimeoutMs);
  const signal = AbortSignal.any([source.signal, deadline]);
  const close = () => agent.destroy();
  try {
    const answer = await follow(context, source, agent, signal);
    const length = Number(answer.headers["content-length"]);
    if (length > source.maxBytes) throw tooLarge(source.param, source.maxBytes);
    return { body: answer.body, close };
  } catch (error) {
    await close();
    if (error instanceof ApiError || source.signal.aborted) throw error;
    const why = deadline.aborted ? "did not answer in time" : reasonOf(error);
    throw fetchFailed(source, why, error);
  }
}

function mediaPolicy({ config }: RunsContext): AddressPolicy {
  return { ports: config.webhooks.ports, allowCidrs: config.mediaAllowCidrs };
}

async function follow(
  context: RunsContext,
  source: SourceRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  let text = withoutFragment(source.text);
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const checked = checkUrl(text, mediaPolicy(context));
    if (!checked.ok)
      throw fetchFailed(source, hop === 0 ? checked.reason : `redirects to a URL that ${checked.reason}`);
    const answer = await send(checked.url, {
      dispatcher,
      signal,
      headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "gatehouse" },
    });
    if (answer.statusCode === 200) return answer;
    answer.body.on("error", () => {}).destroy();
    const { location } = answer.headers;
    if (!redirectStatuses.has(answer.statusCode) || typeof location !== "string")
      throw fetchFailed(source, `answered ${answer.statusCode}`);
    text = withoutFragment(URL.parse(location, checked.url)?.href ?? location);
  }
  throw fetchFailed(source, `redirects more than ${maxRedirects} times`);
}

function fetchFailed({ param }: SourceRequest, why: string, cause?: unknown): ApiError {
  return new ApiError("media_fetch_failed", `${param} could not be fetched: the URL ${why}.`, {
    param,
    cause,
  });
}

function reasonOf(error: unknown): string {
  // A blocked address and an unknown name get the same message, so that it does not reveal which names exist
  // in a private network.
  if (error instanceof BlockedAddressError || error instanceof NameNotResolvedError)
    return "does not lead to a public address";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "" ? "could not be read" : `could not be read (${code})`;
}

function withoutFragment(text: string): string {
  return text.split("#")[0] ?? text;
}

const scheme = "request-file:";

/** A file sent in a request, in a folder that is removed with the request. */
export interface RequestFile extends Spooled {
  /** The field that contains the file. */
  param: string;
}

/** The files of a request, by their placeholder in the body. */
export type RequestFiles = ReadonlyMap<string, RequestFile>;

/** The limit for all files of one request, in bytes; larger ones must be uploaded first. */
const maxRequestFilesBytes = 1_073_741_824;

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
  if (typeof maxInputBytes !== "number") return maxRequestFilesBytes;
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
  return invalidParameter(param, `${operation.id} accepts no file in ${param}.`);
}

/** The error for a file that is larger than its operation or route accepts. */
export function tooLarge(param: string, maxBytes: number): ApiError {
  return new ApiError("input_too_large", `${param} is larger than ${maxBytes} bytes.`, { param });
}
