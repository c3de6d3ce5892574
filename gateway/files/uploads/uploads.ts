import { createReadStream } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import multipart from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import {
  contentRoutes,
  type FileObject,
  type FilePurpose,
  filePurposes,
  type OpenAiFile,
  type Upload,
  type UploadCreate,
  uploadMaxBytes,
  uploadRoutes,
} from "#contract/upload.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { FilesContext } from "#gateway/files/context.ts";
import { hidden } from "#gateway/files/storage/attachment.ts";
import { forgetPreviews } from "#gateway/files/storage/remove-files.ts";
import { verifySignature } from "#gateway/files/storage/signed-urls.ts";
import { sniffFile } from "#gateway/files/storage/sniff.ts";
import { allowAnyOrigin } from "#gateway/files/storage/storage.ts";
import { lockTotals } from "#gateway/files/storage/storage-limit.ts";
import { type Actor, type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { answerOnce } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { clientLeft } from "#gateway/platform/http/when-closed.ts";
import { expirePending } from "./expire.ts";
import { removeTransfer } from "./parts/finish.ts";
import { answerAppend, answerOffset, answerOptions } from "./parts/tus.ts";
import {
  contentPath,
  findUpload,
  listParts,
  listUploads,
  openAiFile,
  shownTo,
  type UploadRow,
  uploadView,
} from "./read.ts";
import { type FirstFile, firstFile, keysIn, receiveUpload, removeObjects } from "./receive.ts";
import { acceptedType, normalizedType, tableTypeOf, verifyUpload } from "./verify.ts";

export function installUploads(app: App, context: FilesContext): void {
  const { "POST /files": filesRoute, ...routes } = uploadRoutes;
  const shown = async (actor: Actor, upload: Upload) =>
    (await shownTo(context, actor, [upload]))[0] ?? upload;
  serve(app, context, routes, {
    "POST /uploads": ({ caller, body }) => createUpload(context, caller.actor, body),
    "GET /uploads": async ({ caller: { actor }, query }) => {
      const list = await listUploads(context, actor.accountId, query);
      return { ...list, data: await shownTo(context, actor, list.data) };
    },
    "GET /uploads/{id}": async ({ caller: { actor }, params }) =>
      shown(actor, await getUpload(context, actor.accountId, params.id)),
    "DELETE /uploads/{id}": ({ caller, params }) => deleteUpload(context, caller, params.id),
    "POST /uploads/{id}/verify": async ({ caller: { actor }, params, body }, reply) =>
      shown(actor, await verifyUpload(context, actor.accountId, params.id, body, clientLeft(reply.raw))),
    "GET /uploads/{id}/parts": ({ caller, params }) => listParts(context, caller.actor.accountId, params.id),
  });

  app.register(async (scope) => {
    await scope.register(multipart);
    serve(
      scope as App,
      context,
      { "POST /files": filesRoute },
      { "POST /files": (request, reply) => createFile(context, request, reply) },
      { "POST /files": { comparesItself: true } },
    );
  });
  app.register(async (contentApp) => installUploadContent(contentApp as App, context));
}

/**
 * Announces an upload; the answer contains the URL for PUTting its bytes. Throws `upload_too_large`,
 * `unsupported_content_type`, `storage_limit_exceeded`.
 */
async function createUpload(
  context: FilesContext,
  actor: Actor,
  input: UploadCreate & { purpose?: FilePurpose },
): Promise<Upload> {
  const { contentType, family, maxBytes } = acceptedType(input.content_type);
  if (input.size_bytes > maxBytes) {
    const message = `size_bytes must be at most ${maxBytes} for ${family} files.`;
    throw new ApiError("upload_too_large", message, { param: "size_bytes" });
  }
  const row = await context.database.transaction(async (queries) => {
    const [added] = await queries
      .insert(uploads)
      .values({
        id: newId("upload"),
        accountId: actor.accountId,
        ...madeBy(actor),
        contentType,
        sizeBytes: input.size_bytes,
        filename: safeFilename(input.filename),
        expectedSha256: input.sha256 ?? null,
        purpose: input.purpose ?? null,
        urlExpiresAt: new Date(clock.now() + context.config.uploadUrlTtlMs),
      })
      .returning();
    await context.storageLimit.assertWithin(queries, actor.accountId);
    return added;
  });
  if (!row) throw new Error("the upload was not inserted");
  return uploadView(context, row);
}

/**
 * The last part of a path, without characters that file systems reject or that disguise its extension; null
 * if nothing is left.
 */
function safeFilename(text = ""): string | null {
  const name = text.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const kept = name
    .replace(hidden, "")
    .replace(/[<>:"|?*]/g, "")
    .trim();
  return kept.replace(/^\.+/, "") || null;
}

/** One upload with new URLs; reading a pending one renews the full time for sending it. */
async function getUpload(context: FilesContext, accountId: string, id: string): Promise<Upload> {
  const { queries } = context.database;
  const row = await findUpload(queries, accountId, id);
  if (row.status !== "pending") return uploadView(context, row);
  const now = clock.date();
  if (row.urlExpiresAt <= now) {
    await expirePending(context, id);
    return uploadView(context, await findUpload(queries, accountId, id), now);
  }
  const freshUntil = new Date(now.getTime() + context.config.uploadUrlTtlMs);
  // A running transfer has already set a later expiry.
  const urlExpiresAt = sql`greatest(${uploads.urlExpiresAt}, ${freshUntil.toISOString()}::timestamptz)`;
  const [extended] = await queries
    .update(uploads)
    .set({ urlExpiresAt })
    .where(and(eq(uploads.id, id), eq(uploads.status, "pending")))
    .returning();
  // If the upload is no longer pending, its row is read again.
  return uploadView(context, extended ?? (await findUpload(queries, accountId, id)), now);
}

/** Deletes an upload and its bytes; its id is then unknown. Running predictions keep their own copy. */
export async function deleteUpload(context: FilesContext, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  await audited(context, caller, "upload.deleted", async (queries) => {
    const row = await findUpload(queries, accountId, id, { forUpdate: true });
    // This comes first: an upload whose bytes cannot be removed keeps its row, and the caller can try again.
    await removeObjects(context, row);
    await lockTotals(queries, [row]);
    await forgetPreviews(queries, keysIn(row.storageKey));
    await queries.delete(uploads).where(eq(uploads.id, id));
    const { status, contentType, sizeBytes } = row;
    return {
      target: id,
      detail: { status, content_type: contentType, size_bytes: sizeBytes },
      result: null,
    };
  });
  await removeTransfer(context, { id }).catch((error) =>
    context.log.warn({ err: error }, `parts of ${id} could not be removed, will retry`),
  );
  return deleted("upload", id);
}

const maxBytes = Math.max(...Object.values(uploadMaxBytes));

/**
 * A private upload in one request, as clients of Replicate and OpenAI send files: the first file part of a
 * multipart body. Its type follows from its bytes, or from a table's name. With a `purpose` the answer has OpenAI's shape. Throws
 * as `createUpload`, and `missing_parameter`, `malformed_request`, `unsupported_content_type`. For an
 * `Idempotency-Key` the whole file is read first, because its hash is compared.
 */
function createFile(
  context: FilesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!request.isMultipart())
    throw new ApiError(
      "unsupported_media_type",
      "Send the file as multipart/form-data, in a part named content.",
    );
  return context.scratch.withDirectory(async (directory) => {
    const asked = [purposePart, anchorPart, secondsPart];
    const found = await firstFile(request, directory, maxBytes, "content", { asked });
    const { sha256, filename, declared, texts } = found;
    const { actor } = request.caller;
    const compared = { sha256, filename, declared, texts: Object.fromEntries(texts) };
    const { status, headers, body } = await answerOnce(context, request, actor, compared, async () => ({
      status: 201,
      headers: {},
      body: await keepFile(context, actor, found),
    }));
    return reply.code(status).headers(headers).send(body);
  });
}

async function keepFile(
  context: FilesContext,
  actor: Actor,
  { file, sizeBytes, sha256, filename, declared, texts }: FirstFile,
): Promise<FileObject | OpenAiFile> {
  const purpose = purposeIn(texts);
  const lifeSeconds = lifeIn(texts, context.retention.of(actor.accountId) / 1000);
  const sniffed = await sniffFile(file);
  const type = sniffed?.types[sniffed.family] ?? tableTypeOf(declared, filename) ?? declared;
  const size = { content_type: type, size_bytes: sizeBytes, sha256 };
  const { id } = await createUpload(context, actor, {
    ...size,
    ...(filename && { filename }),
    ...(purpose && { purpose }),
  });
  await receiveUpload(context, id, createReadStream(file));
  const upload = await verifyUpload(context, actor.accountId, id, {});
  if (upload.status !== "verified" || upload.download_url === null)
    throw new ApiError(
      "upload_not_usable",
      upload.error?.message ?? "The file could not be verified. Send it again.",
    );
  if (purpose) return openAiFile(await shortened(context, actor.accountId, id, lifeSeconds));
  return {
    id,
    object: "file",
    name: upload.filename ?? id,
    content_type: upload.content_type,
    size: upload.size_bytes,
    checksums: { sha256 },
    metadata: {},
    created_at: upload.created_at,
    expires_at: upload.object_expires_at,
    urls: { get: upload.download_url },
  };
}

const purposePart = "purpose";
const anchorPart = "expires_after[anchor]";
const secondsPart = "expires_after[seconds]";
/** The shortest life of a file that OpenAI's API allows. */
const leastLifeSeconds = 3_600;

function purposeIn(texts: ReadonlyMap<string, string>): FilePurpose | null {
  const text = texts.get(purposePart);
  if (text === undefined) return null;
  const purpose = filePurposes.find((known) => known === text);
  if (purpose) return purpose;
  throw invalidParameter("purpose", `purpose must be one of ${filePurposes.join(", ")}.`);
}

/** How long the client wants the file to be kept; null: as long as every upload. */
function lifeIn(texts: ReadonlyMap<string, string>, mostSeconds: number): number | null {
  const text = texts.get(secondsPart);
  if (text === undefined && !texts.has(anchorPart)) return null;
  const seconds = Number(text);
  const isWhole = text !== undefined && /^\d{1,9}$/.test(text);
  if (
    isWhole &&
    texts.get(anchorPart) === "created_at" &&
    seconds >= leastLifeSeconds &&
    seconds <= mostSeconds
  )
    return seconds;
  throw invalidParameter(
    "expires_after",
    `expires_after must be {anchor: "created_at", seconds: ${leastLifeSeconds} to ${mostSeconds}}: no file is kept longer.`,
  );
}

/** The verified upload; it expires earlier if its sender requested that. */
async function shortened(
  { database: { queries } }: FilesContext,
  accountId: string,
  id: string,
  lifeSeconds: number | null,
): Promise<UploadRow> {
  if (lifeSeconds !== null)
    await queries
      .update(uploads)
      .set({ objectExpiresAt: sql`${uploads.createdAt} + make_interval(secs => ${lifeSeconds})` })
      .where(and(eq(uploads.id, id), eq(uploads.status, "verified")));
  return findUpload(queries, accountId, id);
}

/**
 * The signed URLs of an upload's bytes. Bodies are streams of any type, so they have their own content-type
 * parsers.
 */
async function installUploadContent(app: App, context: FilesContext): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

  app.options("/uploads/:id/content", { config: { public: true } }, (_request, reply) =>
    answerOptions(reply),
  );

  const bodyLimit = uploadMaxBytes.video;
  serve(
    app,
    context,
    contentRoutes,
    {
      "PUT /uploads/{id}/content": async (request, reply) => {
        const { id } = request.params;
        allowAnyOrigin(reply);
        await verifyPut(context, id, request);
        const row = await receiveUpload(context, id, request.body as Readable);
        return {
          id: row.id,
          object: "upload" as const,
          status: row.status,
          size_bytes: row.sizeBytes,
          sha256: row.sha256,
        };
      },
      "PATCH /uploads/{id}/content": (request, reply) =>
        request.method === "HEAD"
          ? answerOffset(context, request, reply)
          : answerAppend(context, request, reply),
    },
    {
      "PUT /uploads/{id}/content": { bodyLimit },
      "PATCH /uploads/{id}/content": { bodyLimit, method: ["PATCH", "HEAD"] },
    },
  );
}

interface Put {
  query: { expires?: string; signature?: string };
  headers: IncomingHttpHeaders;
}

interface Announced {
  contentType: string;
  sizeBytes: number;
}

/**
 * Checks the signature of a PUT, which includes its type and length. Throws `signature_invalid`, which names
 * the header that differs from the announced upload, or `signature_expired`.
 */
async function verifyPut(context: FilesContext, id: string, { query, headers }: Put): Promise<void> {
  const verify = (announced: Announced) =>
    verifySignature(context, { method: "PUT", path: contentPath(id), query, ...announced });
  const sent = {
    contentType: normalizedType(headers["content-type"] ?? ""),
    sizeBytes: Number(headers["content-length"]),
  };
  try {
    verify(sent);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "signature_invalid") throw error;
    const [row] = await context.database.queries.select().from(uploads).where(eq(uploads.id, id));
    if (!row) throw error;
    // Only the holder of a valid signature learns what was announced.
    verify(row);
    throw wrongHeader(sent, row, headers["content-length"] === undefined);
  }
}

function wrongHeader(
  sent: Announced,
  { contentType, sizeBytes }: Announced,
  isUnmeasured: boolean,
): ApiError {
  const [param, message] =
    sent.contentType !== contentType
      ? ["Content-Type", `Content-Type must be ${contentType}, as announced.`]
      : [
          "Content-Length",
          isUnmeasured
            ? `Content-Length is missing: send ${sizeBytes} bytes, as announced, and not in chunks.`
            : `Content-Length must be ${sizeBytes}, as announced; it is ${sent.sizeBytes}.`,
        ];
  return new ApiError("signature_invalid", message, { param });
}
