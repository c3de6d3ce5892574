import { createHash, hash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { byName } from "#contract/by-name.ts";
import type { ApiType, CatalogOperation } from "#contract/catalog.ts";
import {
  removeReservedFilesOf,
  removeUnlessReserved,
  reserveFiles,
} from "#gateway/files/storage/remove-files.ts";
import { spool, TooManyBytesError } from "#gateway/files/storage/scratch.ts";
import { sniffFile } from "#gateway/files/storage/sniff.ts";
import { StoreFullError, untilRoom } from "#gateway/files/storage/store-room.ts";
import { attestationsToLook } from "#gateway/models/catalog/clearance.ts";
import { type Measured, measureFile } from "#gateway/models/providers/media/probe.ts";
import type { Provider, ProviderOutput, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { madeBy } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import type { StoredOutput } from "#gateway/platform/database/tables/predictions.ts";
import { maxOutputBytes, outputTooLarge } from "#gateway/platform/network/fetch-output.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { takeFacts, withHashes } from "#gateway/runs/provenance/receipts/receipts.ts";
import { recordOutputs } from "#gateway/runs/provenance/record.ts";
import type { Made } from "#gateway/runs/provenance/signing/claim.ts";
import type { FileOfRun, Signed } from "#gateway/runs/provenance/signing/signer.ts";
import type { Admitted } from "./admit.ts";
import { asApiError, type Served } from "./dispatch.ts";
import type { OutputCheck } from "./output-check.ts";

const extensions = byName<string>({
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
});

/** The parts of a run that the claims of its files name, and the provider that ran it. */
interface SignedRun {
  request: Pick<ProviderRequest, "model" | "engine" | "media">;
  provider: Pick<Provider, "sandbox">;
}

/** The run that made outputs, and the provider that ran it. */
interface Run extends SignedRun {
  request: Pick<ProviderRequest, "id" | "model" | "operation" | "engine" | "media" | "input">;
  provider: Pick<Provider, "id" | "sandbox">;
  /**
   * Set if another process may still be storing the same outputs. Signing twice gives different bytes, so
   * each attempt uses separate keys.
   */
  attempt?: string;
}

/**
 * The media family that an operation must return, because clients show it as that: a video behind an image
 * URL would not work.
 */
const families: Partial<Record<ApiType, "image" | "audio">> = {
  "image-generation": "image",
  "image-editing": "image",
  "text-to-speech": "audio",
};

interface Patience {
  signal: AbortSignal;
  /** How long to wait for room (ms) while the store is full; without it, do not wait. */
  until?: number;
}

/** The content of a file: in memory, or on disk. */
type Body = Buffer | { file: string };

/** An output received and measured completely, and its object key. */
interface Received {
  output: StoredOutput;
  body: Body;
}

/**
 * Copies a provider's outputs into our store under `outputs/<id of the run>/`, signed if there is a
 * certificate; clients never get the provider's URLs. All are received before the first is stored, and `name`
 * first writes their keys into a row, so that no file is stored without a row. Returns null and stores
 * nothing when `name` reports that the row is no longer ours. Throws StoreFullError.
 */
export async function storeOutputs(
  context: RunsContext,
  run: Run,
  outputs: ProviderOutput[],
  { signal, until = Number.NEGATIVE_INFINITY }: Patience,
  name: (outputs: StoredOutput[]) => Promise<boolean>,
): Promise<StoredOutput[] | null> {
  const waiting = { signal, until, full: (error: StoreFullError) => context.storeRoom.full(error) };
  const store = async (directory: string): Promise<StoredOutput[] | null> => {
    const received: Received[] = [];
    for (const [index, output] of outputs.entries()) {
      const base = `outputs/${run.request.id}/${index + 1}`;
      const arrived = isMeasured(output)
        ? await own(output, base)
        : await untilRoom(waiting, () => receive(context, output, { run, base, directory, signal }));
      received.push(await withSignature(context, run, arrived, directory));
    }
    const stored = received.map(({ output }) => output);
    if (!(await name(stored))) return null;
    for (const { output, body } of received)
      await untilRoom(waiting, async () => {
        const bytes = Buffer.isBuffer(body) ? body : createReadStream(body.file);
        await context.store.put(output.key, bytes, { contentType: output.contentType });
      });
    return stored;
  };
  return untilRoom(waiting, () => context.scratch.withDirectory(store));
}

/**
 * Stores the outputs of a sync run, which has no row of its own: they are removed at `expiresAt`, and at once
 * if `check` refuses them. A provider's failure is thrown with a code of the contract.
 */
export async function storeGeneration(
  context: RunsContext,
  { actor, compiled, metadata }: Pick<Admitted, "actor" | "compiled" | "metadata">,
  served: Run & Pick<Served<unknown>, "region">,
  outputs: ProviderOutput[],
  { check, ...patience }: Patience & { check: OutputCheck | null },
): Promise<{ files: StoredOutput[]; expiresAt: Date }> {
  const { accountId } = actor;
  const { id } = served.request;
  const expiresAt = new Date(clock.now() + context.retention.of(accountId));
  const hold = async (files: StoredOutput[]) => {
    await reserveFiles(context.database.queries, { id, accountId, files, until: expiresAt });
    return true;
  };
  const stored = await storeOutputs(context, served, outputs, patience, hold).catch((error: unknown) => {
    throw error instanceof ProviderError ? asApiError(error) : error;
  });
  const files = stored ?? [];
  await check?.files(files).catch(async (error: unknown) => {
    await removeReservedFilesOf(context, [id]).catch((err: unknown) =>
      context.log.warn({ err, run: id }, "refused outputs could not be removed yet"),
    );
    throw error;
  });
  // The caller has paid for the files, so they are returned even if this or recording them fails.
  await removeUnlessReserved(context, id, files).catch((err: unknown) =>
    context.log.warn({ err, run: id }, "the reservation of a run's files could not be read"),
  );
  const { input, media } = served.request;
  const receipt = await takeFacts(await attestationsToLook(context), {
    model: compiled.model.id,
    input: withHashes(input, media),
    fileHashes: files.map(({ sha256 }) => sha256),
    provider: served.provider.id,
  });
  const made = {
    receipt,
    accountId,
    model: compiled.model.id,
    apiType: compiled.operation.api_type,
    svcRegion: served.region,
    sandbox: served.provider.sandbox,
    ...madeBy(actor),
    metadata,
  };
  await context.database
    .transaction((queries) => recordOutputs(queries, { ...made, runId: id, expiresAt }, files))
    .catch((err: unknown) =>
      context.log.warn({ err, run: id }, "the outputs of a run could not be recorded"),
    );
  return { files, expiresAt };
}

/** The usage of outputs if the provider does not report it: their seconds, else their number. */
export function usageOf(operation: CatalogOperation, outputs: StoredOutput[]): Usage {
  const unit = operation.billing_unit;
  if (unit !== "second") return { unit, quantity: outputs.length };
  const seconds = outputs.reduce((sum, output) => sum + (output.duration ?? 0), 0);
  // Up to a quarter of a second more, such as one last frame, does not start another billed second.
  return { unit, quantity: Math.max(1, Math.ceil(seconds - 0.25)) };
}

/** A local file made by the sandbox: its type and dimensions are known. */
type OwnOutput = Extract<ProviderOutput, { bytes: Buffer } | { file: string }>;

function isMeasured(output: ProviderOutput): output is OwnOutput {
  return output.width !== undefined && ("bytes" in output || "file" in output);
}

async function own(output: OwnOutput, base: string): Promise<Received> {
  if ("bytes" in output) {
    const { bytes } = output;
    return receivedAs(base, bytes, { ...output, sizeBytes: bytes.length, sha256: hash("sha256", bytes) });
  }
  const digest = createHash("sha256");
  await pipeline(createReadStream(output.file), digest);
  const sizeBytes = (await stat(output.file)).size;
  return receivedAs(base, output, { ...output, sizeBytes, sha256: digest.digest("hex") });
}

interface ReceiveOptions {
  run: Run;
  base: string;
  directory: string;
  signal: AbortSignal;
}

/**
 * Receives an upstream's file completely, detects its type from its bytes instead of its name, and measures
 * it.
 */
async function receive(
  context: RunsContext,
  output: ProviderOutput,
  { run, base, directory, signal }: ReceiveOptions,
): Promise<Received> {
  const { file, sizeBytes, sha256 } = await spool(
    await open(context, output, run.provider.id, signal),
    directory,
    maxOutputBytes,
  ).catch((error: unknown) => {
    if (error instanceof TooManyBytesError) throw outputTooLarge();
    if (error instanceof ProviderError || error instanceof StoreFullError || signal.aborted) throw error;
    throw new ProviderError("upstream_invalid_response", "The provider's output is incomplete.", {
      started: "yes",
      cause: error,
    });
  });
  const sniffed = await sniffFile(file);
  const wanted = output.contentType.split("/")[0];
  const family = (["image", "audio", "video"] as const).find(
    (name) => name === wanted && sniffed?.types[name] !== undefined,
  );
  const kind = family ?? sniffed?.family;
  const contentType = kind && sniffed?.types[kind];
  if (!kind || !contentType) throw invalid("The provider's output is not a media file.");
  const expected = families[run.request.operation.api_type] ?? kind;
  if (kind !== expected) throw invalid(`The provider returned ${contentType} instead of ${expected}.`);
  const measured = await measureFile(file, kind);
  return receivedAs(base, { file }, { ...output, ...measured, contentType, sizeBytes, sha256 });
}

type Facts = Measured & { contentType: string; sizeBytes: number; sha256: string };

function receivedAs(
  base: string,
  body: Received["body"],
  { contentType, sizeBytes, sha256, width, height, duration }: Facts,
): Received {
  if (sizeBytes === 0) throw invalid("The provider's output is empty.");
  if (sizeBytes > maxOutputBytes) throw outputTooLarge();
  const key = `${base}.${extensions[contentType] ?? "bin"}`;
  const sizes = { width: width ?? null, height: height ?? null, duration: duration ?? null };
  return { output: { key, contentType, sizeBytes, ...sizes, sha256 }, body };
}

/** Signs before the hash and length are recorded; the file does not change after that. */
async function withSignature(
  context: RunsContext,
  run: Run,
  received: Received,
  directory: string,
): Promise<Received> {
  const { output, body } = received;
  const { contentType, sizeBytes, key } = output;
  const signed = await signBody(context, run, { body, contentType, sizeBytes }, directory);
  if (!signed) return received;
  const { body: marked, ...facts } = signed;
  const ownKey = run.attempt === undefined ? key : key.replace(/\.\w+$/, `-${run.attempt}$&`);
  return { output: { ...output, ...facts, key: ownKey }, body: marked };
}

/**
 * Signs a file and returns it with its new hash; null without a certificate, and for files that are stored
 * unchanged. Files stay on disk: the signed one is written to `directory`. Never throws: an output is paid
 * for.
 */
async function signBody(
  context: RunsContext,
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

async function signIfSet(
  { signer }: RunsContext,
  { request: { model, engine, media }, provider }: SignedRun,
  file: FileOfRun,
): Promise<Signed | null> {
  if (!signer) return null;
  const made: Made = { model: model.id, engine, sandbox: provider.sandbox, inputs: media };
  return signer.sign(file, made);
}

async function open(context: RunsContext, output: ProviderOutput, provider: string, signal: AbortSignal) {
  if ("bytes" in output) return output.bytes;
  if ("file" in output) return createReadStream(output.file);
  return "open" in output ? output.open(signal) : context.providers.openOutput(provider, output.url, signal);
}

function invalid(message: string): ProviderError {
  return new ProviderError("upstream_invalid_response", message, { started: "yes", final: true });
}

/** Signs an answer that is itself the file, such as speech; returns it unsigned if it cannot be signed. */
export async function signAnswer(
  context: RunsContext,
  run: SignedRun,
  { bytes, contentType }: { bytes: Buffer; contentType: string },
): Promise<Buffer> {
  const file = { contentType, sizeBytes: bytes.length, bytes: async () => bytes };
  const signed = await signIfSet(context, run, file);
  return signed ? Buffer.from(signed.bytes.buffer) : bytes;
}
