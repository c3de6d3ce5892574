import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Context } from "#gateway/context.ts";
import type { Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import type { Made } from "#gateway/runs/provenance/signing/claim.ts";
import type { FileOfRun, Signed } from "#gateway/runs/provenance/signing/signer.ts";

/** The parts of a run that the claims of its files name, and the provider that ran it. */
export interface SignedRun {
  request: Pick<ProviderRequest, "model" | "engine" | "media">;
  provider: Pick<Provider, "sandbox">;
}

/** The content of a file: in memory, or on disk. */
export type Body = Buffer | { file: string };

/**
 * Signs a file and returns it with its new hash; null without a certificate, and for files that are stored
 * unchanged. Files stay on disk: the signed one is written to `directory`. Never throws: an output is paid
 * for.
 */
export async function signBody(
  context: Context,
  run: SignedRun,
  { body, contentType, sizeBytes }: Pick<FileOfRun, "contentType" | "sizeBytes"> & { body: Body },
  directory: string,
): Promise<{ body: Body; sizeBytes: number; sha256: string } | null> {
  const signed = await signIfSet(context, run, {
    contentType,
    sizeBytes,
    bytes: async () => (Buffer.isBuffer(body) ? body : readFile(body.file)),
  });
  if (!signed) return null;
  const facts = { sizeBytes: signed.bytes.length, sha256: signed.sha256 };
  if (Buffer.isBuffer(body)) return { ...facts, body: Buffer.from(signed.bytes.buffer) };
  const file = path.join(directory, randomBytes(12).toString("hex"));
  try {
    await writeFile(file, signed.bytes, { flag: "wx", mode: 0o600, flush: true });
  } catch (err) {
    context.log.warn({ err }, "a signed output could not be written; it is stored without a signature");
    return null;
  }
  return { ...facts, body: { file } };
}

/** Signs an answer that is itself the file, such as speech; returns it unsigned if it cannot be signed. */
export async function signAnswer(
  context: Context,
  run: SignedRun,
  { bytes, contentType }: { bytes: Buffer; contentType: string },
): Promise<Buffer> {
  const file = { contentType, sizeBytes: bytes.length, bytes: async () => bytes };
  const signed = await signIfSet(context, run, file);
  return signed ? Buffer.from(signed.bytes.buffer) : bytes;
}

async function signIfSet(
  { signer }: Context,
  { request: { model, engine, media }, provider }: SignedRun,
  file: FileOfRun,
): Promise<Signed | null> {
  if (!signer) return null;
  const made: Made = { model: model.id, engine, sandbox: provider.sandbox, inputs: media };
  return signer.sign(file, made);
}
