import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import type { Multipart, MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { byName } from "#contract/by-name.ts";
import type { ApiType } from "#contract/catalog.ts";
import { type Spooled, spool, TooManyBytesError } from "#gateway/files/storage/scratch.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { inOwnTurn } from "#gateway/platform/core/event-loop.ts";
import {
  bracketOf,
  nothingCounted,
  refuseManyValues,
  refuseUnstorable,
} from "#gateway/platform/http/body-bounds.ts";
import { multipartFailure } from "#gateway/platform/http/errors.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { operationFor } from "#gateway/runs/operations/admit.ts";
import { withModel } from "#gateway/runs/operations/candidates.ts";
import { maxBytesOf, refuseManyImages } from "#gateway/runs/operations/resolve-media.ts";
import {
  fileKind,
  maxFilesBytes,
  newFileReference,
  type RequestFile,
  type RequestFiles,
  tooLarge,
} from "#gateway/runs/operations/resolve-media-source.ts";

/** Field names that clients use for fields with another name in the catalog. */
const aliases = byName<string>({
  file: "audio",
  input_reference: "first_frame",
  seconds: "duration",
});
const maxParts = 50;

interface MultipartBody {
  body: Record<string, unknown>;
  /**
   * The body with a hash in place of each file's bytes, so that a repeated request has the same fingerprint.
   */
  fingerprint: Record<string, unknown>;
  files: RequestFiles;
}

interface Reading {
  apiType: ApiType;
  /** A private folder of the caller, who removes it when the request ends. */
  directory: string;
  /** The limit for all files while the model is still unknown. */
  maxBytes: number;
}

/**
 * Reads a multipart body of an operation: text stays text, files go to `directory`. The route limits their
 * size, and so does the operation as soon as `model` has been read. Throws `malformed_request`,
 * `request_too_large`, `input_too_large`, and the errors of an invalid model.
 */
export async function readMultipart(
  context: RunsContext,
  request: FastifyRequest,
  { apiType, directory, maxBytes }: Reading,
): Promise<MultipartBody> {
  // `byName`, because the sender can name a part like an inherited property, such as `constructor`.
  const [body, fingerprint] = [byName<unknown>({}), byName<unknown>({})];
  request.operationAsked = body;
  const texts = new TextParts(request.routeOptions.bodyLimit);
  const files = new FileParts(directory, maxBytes);
  const { actor } = request.caller;
  for await (const part of partsOf(request)) {
    const { name, many } = fieldOf(part);
    if (!isText(part)) {
      const { reference, sha256 } = await files.receive(part, name);
      add(body, name, reference, many);
      add(fingerprint, name, sha256, many);
      continue;
    }
    const value = await texts.read(part);
    add(body, name, value, many);
    add(fingerprint, name, value, many);
    if (name === "model")
      files.operation = operationFor(context, actor, apiType, await withModel(context, actor, body));
  }
  await refuseUnstorable(body);
  return { body, fingerprint, files: files.received };
}

/** Receives the files of one multipart body. */
class FileParts {
  readonly received = new Map<string, RequestFile>();
  /** Set once the model has been read. */
  operation: CompiledOperation | null = null;
  readonly #directory: string;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  async receive(part: MultipartFile, param: string): Promise<{ reference: string; sha256: string }> {
    if (param === "model") throw invalidParameter("model", "model must be a string");
    const total = this.operation ? maxFilesBytes(this.operation.operation) : this.#maxBytes;
    const left = Math.max(0, total - this.#bytes);
    const single = this.operation ? this.#maxBytesIn(this.operation, param) : left;
    const spooled = await spool(part.file, this.#directory, Math.min(left, single)).catch((error) => {
      if (!(error instanceof TooManyBytesError)) throw multipartFailure(error);
      if (single <= left && this.operation) throw tooLarge(param, single);
      throw new ApiError(
        "request_too_large",
        `The files are larger than ${total} bytes in total. Send smaller files.`,
        { param },
      );
    });
    return this.#keep(spooled, param);
  }

  /** The limit of one file in this field, before it is read. */
  #maxBytesIn(compiled: CompiledOperation, param: string): number {
    const kind = fileKind(compiled, param);
    const { limits } = compiled.operation;
    const images = [...this.received.values()].filter((file) => fileKind(compiled, file.param) === "image");
    if (kind === "image") refuseManyImages(param, images.length + 1, limits);
    return maxBytesOf({ kind }, limits);
  }

  #keep(spooled: Spooled, param: string): { reference: string; sha256: string } {
    const reference = newFileReference();
    this.received.set(reference, { ...spooled, param });
    this.#bytes += spooled.sizeBytes;
    return { reference, sha256: spooled.sha256 };
  }
}

/**
 * The parts of the body, each as a stream: the parser would decode a long text character by character, in one
 * turn. Errors of the parser are caused by the client.
 */
async function* partsOf(request: FastifyRequest): AsyncGenerator<MultipartFile> {
  // The size of a part is limited where it is read (`FileParts`, `TextParts`).
  const limits = { fileSize: Number.MAX_SAFE_INTEGER, parts: maxParts };
  try {
    yield* request.parts({ limits, isPartAFile: () => true }) as AsyncIterable<MultipartFile>;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "FST_PARTS_LIMIT")
      throw new ApiError("request_too_large", `The body has more than ${maxParts} parts. Send fewer.`);
    throw multipartFailure(error);
  }
}

function fieldOf({ fieldname }: Multipart): { name: string; many: boolean } {
  if (!fieldname)
    throw new ApiError(
      "malformed_request",
      "A part of the multipart body has no name. Name each part after a parameter.",
    );
  const plain = fieldname.replace(/\[\d*\]$/, "");
  return { name: aliases[plain] ?? plain, many: plain !== fieldname };
}

function add(target: Record<string, unknown>, name: string, value: unknown, many: boolean): void {
  const before = target[name];
  if (Array.isArray(before)) before.push(value);
  else if (before !== undefined) target[name] = [before, value];
  else target[name] = many ? [value] : value;
}

function isText({ mimetype, filename }: MultipartFile): boolean {
  return filename === undefined && mimetype !== "application/octet-stream";
}

/** The text parts of one multipart body: together they may be as large as the route's JSON body. */
class TextParts {
  readonly #maxBytes: number;
  #bytes = 0;
  #counted = nothingCounted;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The value of a part: its text, or what a JSON part contains. Throws `request_too_large`, `malformed_request`
   * and `invalid_json`.
   */
  async read({ file, mimetype }: MultipartFile): Promise<unknown> {
    const text = await this.#textOf(file);
    const isJson = mimetype.startsWith("application/json");
    // A comma in any other text separates no values.
    if (isJson || bracketOf(text))
      this.#counted = await inOwnTurn(text, () => refuseManyValues(text, this.#counted));
    if (!isJson) return text;
    try {
      return await inOwnTurn(text, JSON.parse);
    } catch {
      throw new ApiError("invalid_json", "A part of the body is declared as JSON but is not valid JSON.");
    }
  }

  /** Text that is not UTF-8 is in Latin-1, which some clients use. */
  async #textOf(stream: Readable): Promise<string> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of stream) {
        this.#add(chunk.length);
        chunks.push(chunk);
      }
    } catch (error) {
      throw multipartFailure(error);
    }
    return inOwnTurn(Buffer.concat(chunks), (bytes) => bytes.toString(isUtf8(bytes) ? "utf8" : "latin1"));
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw this.#tooLarge();
  }

  #tooLarge(): ApiError {
    return new ApiError(
      "request_too_large",
      `The text parts of the body are larger than ${this.#maxBytes} bytes in total. Shorten them.`,
    );
  }
}
