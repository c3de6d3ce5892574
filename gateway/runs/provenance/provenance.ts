import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import {
  operatorSigningRoutes,
  type SigningStatus,
  type SigningTrial,
  signingTrials,
} from "#contract/operator/signing.ts";
import { signableTypes } from "#contract/output-constants.ts";
import {
  type MadeHere,
  type OutputCheck,
  type OutputCheckRequest,
  outputRoutes,
  readableBytes,
} from "#contract/outputs.ts";
import { maxReceiptBytes } from "#contract/receipts.ts";
import { hasFile } from "#gateway/files/storage/remove-files.ts";
import { sniff, sniffBytes } from "#gateway/files/storage/sniff.ts";
import { findUpload } from "#gateway/files/uploads/read.ts";
import { firstFile } from "#gateway/files/uploads/receive.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { Turns } from "#gateway/platform/core/together.ts";
import { desc, getTableColumns, sql } from "#gateway/platform/database/drizzle.ts";
import { hasBytes, outputs } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { clientLeft } from "#gateway/platform/http/when-closed.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { bytesOf, predictionOf, provenanceView } from "./read.ts";
import { type Readable, readManifest } from "./reader.ts";
import { checkReceipt, installReceiptKeys } from "./receipts/receipts.ts";
import type { Made } from "./signing/claim.ts";
import type { Signer } from "./signing/signer.ts";

/** A picture of one pixel; signing it shows whether signing works. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const trial: Made = { model: "trial", engine: "pictures", sandbox: true, inputs: [] };

export function installProvenance(app: App, context: RunsContext): void {
  installReceiptKeys(app, context);
  serve(app, context, operatorSigningRoutes, { "GET /operator/signing": () => signingStatus(context) });
  app.register(async (scope) => {
    await scope.register(multipart);
    serve(scope as App, context, outputRoutes, {
      "POST /outputs/verify": (request, reply) =>
        checkFile(context, request.caller.actor, request, clientLeft(reply.raw)),
    });
  });
}

/** Whether outputs are signed, with which certificate, and whether signing works now. */
async function signingStatus({ signer }: RunsContext): Promise<SigningStatus> {
  const common = { object: "signing_status" as const, content_types: [...signableTypes] };
  if (!signer)
    return { ...common, configured: false, certificate: null, problem: null, trial: null, trial_error: null };
  const { certificate, problem } = await signer.current();
  return {
    ...common,
    configured: true,
    certificate: {
      subject: certificate.subject,
      issuer: certificate.issuer,
      algorithm: certificate.algorithm,
      valid_from: certificate.validFrom.toISOString(),
      expires_at: certificate.expiresAt.toISOString(),
    },
    problem: problem?.message ?? null,
    ...(problem?.code && { problem_codes: [problem.code] }),
    ...(await tried(signer)),
  };
}

async function tried(signer: Signer): Promise<Pick<SigningStatus, "trial" | "trial_error">> {
  const file = { contentType: "image/png", sizeBytes: pixel.length, bytes: async () => pixel };
  const outcome = await signer.attempt(file, trial);
  if (typeof outcome === "object" && outcome.state === "failed")
    return { trial: "failed", trial_error: outcome.error };
  const result = typeof outcome === "object" ? outcome.state : outcome;
  return { trial: isTrial(result) ? result : "failed", trial_error: null };
}

function isTrial(result: string): result is SigningTrial {
  return signingTrials.some((known) => known === result);
}

const checks: Limit = { name: "file checks", count: 30, periodMs: 60_000 };

const uploadScheme = "upload://";

/** One file at a time per account, so that one account delays another by at most one file. */
const turns = new Turns();

/**
 * Reports the Content Credentials of a file, and whether a run of this account made it. The file is part of a
 * multipart body, or an upload. Throws `rate_limit_exceeded`, `missing_parameter`, `upload_too_large`,
 * `upload_not_found`, `upload_not_usable`.
 */
async function checkFile(
  context: RunsContext,
  actor: Actor,
  request: FastifyRequest<{ Body: Static<typeof OutputCheckRequest> }>,
  left: AbortSignal,
): Promise<OutputCheck> {
  const taken = await context.limiter.take(actor.id, checks);
  if (!taken.allowed) throw tooManyRequests(`More than ${checks.count} files a minute were checked.`, taken);
  if (request.isMultipart())
    return context.scratch.withDirectory(async (directory) => {
      const { file, sizeBytes, sha256 } = await firstFile(request, directory, readableBytes, "file", {
        orText: { name: "receipt", maxBytes: maxReceiptBytes },
      });
      return answer(context, actor, sha256, left, { sizeBytes, bytes: () => readFile(file) });
    });
  const { upload, receipt } = request.body;
  if (receipt !== undefined) {
    const text = Buffer.from(receipt);
    return answer(context, actor, hash("sha256", text), left, {
      ...{ sizeBytes: text.length, bytes: async () => text },
    });
  }
  if (upload === undefined)
    throw new ApiError(
      "missing_parameter",
      "Send the file as multipart/form-data in a part named file, or the text of a receipt in a part named receipt. Or send JSON with upload (a reference to an upload) or receipt (the text of a receipt).",
      { param: "upload" },
    );
  return checkUpload(context, actor, upload, left);
}

async function checkUpload(
  context: RunsContext,
  actor: Actor,
  reference: string,
  left: AbortSignal,
): Promise<OutputCheck> {
  const id = reference.startsWith(uploadScheme) ? reference.slice(uploadScheme.length) : reference;
  const row = await findUpload(context.database.queries, actor.accountId, id);
  const { status, storageKey: key, sha256, sizeBytes, objectExpiresAt } = row;
  const isOver = objectExpiresAt !== null && objectExpiresAt <= clock.date();
  if (status !== "verified" || key === null || sha256 === null || isOver)
    throw new ApiError(
      "upload_not_usable",
      `The upload ${id} is ${isOver ? "expired" : status}, not verified.`,
      { param: "upload" },
    );
  return answer(context, actor, sha256, left, { sizeBytes, bytes: () => bytesOf(context, key, left) });
}

async function answer(
  { database }: RunsContext,
  { accountId }: Actor,
  sha256: string,
  left: AbortSignal,
  { sizeBytes, bytes }: Pick<Readable, "sizeBytes" | "bytes">,
): Promise<OutputCheck> {
  // The type is detected from the bytes when they are read, so that the file is in memory only once.
  let contentType: string | null = null;
  const file: Readable = {
    sizeBytes,
    contentType: "",
    async bytes() {
      left.throwIfAborted();
      const content = await bytes();
      const sniffed = content && (await sniff(content.subarray(0, sniffBytes)));
      contentType = sniffed?.types[sniffed.family] ?? null;
      file.contentType = contentType ?? "application/octet-stream";
      return content;
    },
  };
  const [manifest, [made], receipt] = await Promise.all([
    turns.take(accountId, () => readManifest(file, { among: "checks" })),
    database.queries
      .select({ ...getTableColumns(outputs), hasFile: sql<boolean>`${hasFile}` })
      .from(outputs)
      .where(hasBytes(accountId, sha256))
      .orderBy(desc(outputs.id))
      .limit(1),
    checkReceipt({ database }, { sizeBytes, bytes }),
  ]);
  return {
    object: "output.check",
    content_type: contentType,
    size_bytes: sizeBytes,
    provenance: provenanceView(manifest, sha256),
    made_here: made ? madeHere(made) : null,
    receipt,
  };
}

function madeHere(row: typeof outputs.$inferSelect & { hasFile: boolean }): MadeHere {
  return {
    output_id: row.id,
    run_id: row.runId,
    prediction_id: predictionOf(row),
    model: row.model,
    created_at: row.createdAt.toISOString(),
    file_removed: !row.hasFile,
  };
}
