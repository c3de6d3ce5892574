import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { uploadMaxBytes } from "#contract/upload-constants.ts";
import type { Context } from "#gateway/context.ts";
import { allowAnyOrigin, answerPreflight } from "#gateway/files/storage/cors.ts";
import { verifySignature } from "#gateway/files/storage/signed-urls.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { notPending } from "../accept.ts";
import { normalizedType } from "../content-type.ts";
import { type UploadRow, uploadNotFound } from "../queries.ts";
import { contentPath, receivedBytes } from "../view.ts";
import { appendToUpload } from "./append.ts";
import { finishReceived, isUnfinished } from "./finish.ts";
import { OffsetError } from "./writer.ts";

/*
 * Resumable uploads as tus 1.0 has them on the wire (https://tus.io/protocols/resumable-upload), at an upload's content address:
 * the core, and the extension "expiration". Creating, deleting and verifying uploads are routes of this API.
 *
 * The server side is our own. @tus/server keeps its state in files or objects beside the upload and has its locks in one process; here
 * rows are written before anything is stored, the next part may come to another process, and addresses are signed.
 */

const version = "1.0.0";
const offsetType = "application/offset+octet-stream";
const requestHeaders = ["tus-resumable", "upload-offset", "upload-length", "upload-metadata"];
const answerHeaders = [
  "tus-resumable",
  "tus-version",
  "tus-extension",
  "tus-max-size",
  "upload-offset",
  "upload-length",
  "upload-expires",
  "retry-after",
];
const decimal = /^\d{1,12}$/;

interface ContentRequest extends FastifyRequest {
  params: { id: string };
  query: { expires?: string; signature?: string };
}

/** What this server speaks, and the preflight of browsers. */
export function answerOptions(reply: FastifyReply): FastifyReply {
  reply.headers({
    "tus-resumable": version,
    "tus-version": version,
    "tus-extension": "expiration",
    "tus-max-size": String(Math.max(...Object.values(uploadMaxBytes))),
  });
  return answerPreflight(reply, "PUT, HEAD, PATCH", { sent: requestHeaders, read: answerHeaders });
}

/** HEAD: how much is stored. Throws `signature_invalid`, `signature_expired`, `upload_not_found`. */
export function answerOffset(context: Context, request: ContentRequest, reply: FastifyReply) {
  return answering(request, reply, async () => {
    const { id } = request.params;
    verifyAddress(context, request);
    let row = await rowOf(context, id);
    if (isUnfinished(row)) {
      await finishReceived(context, id);
      row = await rowOf(context, id);
    }
    if (row.status === "expired") throw notPending(row);
    tellOffset(reply, receivedBytes(row));
    reply.headers({ "upload-length": String(row.sizeBytes), "cache-control": "no-store", ...expiry(row) });
    return reply.code(200).send();
  });
}

/** PATCH: appends the body. Throws as `answerOffset` and `appendToUpload`, and `unsupported_media_type`. */
export function answerAppend(context: Context, request: ContentRequest, reply: FastifyReply) {
  return answering(request, reply, async () => {
    const { id } = request.params;
    verifyAddress(context, request);
    if (normalizedType(request.headers["content-type"] ?? "") !== offsetType)
      throw new ApiError("unsupported_media_type", `Send \`Content-Type: ${offsetType}\`.`);
    const offset = await appendToUpload(context, id, offsetOf(request), request.body as Readable);
    tellOffset(reply, offset);
    return reply
      .code(204)
      .headers(expiry(await rowOf(context, id)))
      .send();
  });
}

/** With the headers that tus has on every answer, errors included, and the offset where it is why the request was refused. */
async function answering(
  request: ContentRequest,
  reply: FastifyReply,
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  allowAnyOrigin(reply, answerHeaders).header("tus-resumable", version);
  if (request.headers["tus-resumable"] !== version) {
    reply.header("tus-version", version);
    throw new ApiError("tus_version_not_supported", `Send \`Tus-Resumable: ${version}\`.`);
  }
  try {
    return await answer();
  } catch (error) {
    if (error instanceof OffsetError) tellOffset(reply, error.offset);
    throw error;
  }
}

function tellOffset(reply: FastifyReply, offset: number): void {
  reply.header("upload-offset", String(offset));
}

/** When a pending upload is given up unless more of it arrives. */
function expiry({ status, urlExpiresAt }: UploadRow): Record<string, string> {
  return status === "pending" ? { "upload-expires": urlExpiresAt.toUTCString() } : {};
}

/** The same address for both. */
function verifyAddress(context: Context, { params, query }: ContentRequest): void {
  verifySignature(context, { method: "PATCH", path: contentPath(params.id), query });
}

function offsetOf({ headers }: ContentRequest): number {
  const text = String(headers["upload-offset"] ?? "");
  if (!decimal.test(text))
    throw new ApiError("invalid_parameter", "Upload-Offset must say where the bytes of this request begin.", {
      param: "Upload-Offset",
    });
  return Number(text);
}

async function rowOf(context: Context, id: string): Promise<UploadRow> {
  const [row] = await context.database.queries.select().from(uploads).where(eq(uploads.id, id));
  if (!row) throw uploadNotFound(id);
  return row;
}
