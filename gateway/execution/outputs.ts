import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { CatalogOperation } from "#contract/catalog.ts";
import type { Context } from "#gateway/context.ts";
import type { StoredOutput } from "#gateway/database/tables/predictions.ts";
import { fetchOutput } from "#gateway/network/fetch-output.ts";
import { type Measured, measureFile } from "#gateway/providers/media/probe.ts";
import { ProviderError, type ProviderOutput, type Usage } from "#gateway/providers/provider.ts";
import { sniffFile } from "#gateway/storage/sniff.ts";
import { spool, TooManyBytesError } from "#gateway/storage/spool.ts";

/** The largest single output that is copied, in bytes. */
export const maxOutputBytes = 1024 * 1024 * 1024;

const extensions: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
};

/** An output that is whole in our hands, measured, and where it will lie. */
interface Received {
  output: StoredOutput;
  body: Buffer | { file: string };
}

/**
 * Copies what a provider made into our store under `outputs/<ownerId>/`; its own URLs are never handed out. All are
 * received before the first is stored, and `name` writes them into a row before that: no bytes lie without one. Null,
 * and nothing stored, when it answers that the row is no longer ours.
 */
export async function storeOutputs(
  context: Context,
  ownerId: string,
  outputs: ProviderOutput[],
  signal: AbortSignal,
  name: (outputs: StoredOutput[]) => Promise<boolean>,
): Promise<StoredOutput[] | null> {
  return context.scratch.withDirectory(async (directory) => {
    const received: Received[] = [];
    for (const [index, output] of outputs.entries()) {
      const base = `outputs/${ownerId}/${index + 1}`;
      received.push(
        isMeasured(output)
          ? await own(output, base)
          : await receive(context, output, { base, directory, signal }),
      );
    }
    const stored = received.map(({ output }) => output);
    if (!(await name(stored))) return null;
    for (const { output, body } of received) {
      const bytes = Buffer.isBuffer(body) ? body : createReadStream(body.file);
      await context.store.put(output.key, bytes, { contentType: output.contentType });
    }
    return stored;
  });
}

/** What outputs cost where the provider does not say: their seconds, else their number. */
export function usageOf(operation: CatalogOperation, outputs: StoredOutput[]): Usage {
  const unit = operation.billing_unit;
  if (unit !== "second") return { unit, quantity: outputs.length };
  const seconds = outputs.reduce((sum, output) => sum + (output.duration ?? 0), 0);
  // A last frame that hangs over is no second begun.
  return { unit, quantity: Math.max(1, Math.ceil(seconds - 0.25)) };
}

/** What is in our hands already, made by the sandbox: its type and measures are known. */
type OwnOutput = Extract<ProviderOutput, { bytes: Buffer } | { file: string }>;

function isMeasured(output: ProviderOutput): output is OwnOutput {
  return output.width !== undefined && ("bytes" in output || "file" in output);
}

async function own(output: OwnOutput, base: string): Promise<Received> {
  if ("bytes" in output) return receivedAs(base, output.bytes, { ...output, sizeBytes: output.bytes.length });
  return receivedAs(base, output, { ...output, sizeBytes: (await stat(output.file)).size });
}

/** Takes an upstream's file whole, believes its bytes and not its name, and measures it. */
async function receive(
  context: Context,
  output: ProviderOutput,
  { base, directory, signal }: { base: string; directory: string; signal: AbortSignal },
): Promise<Received> {
  const { file, sizeBytes } = await spool(
    await open(context, output, signal),
    directory,
    maxOutputBytes,
  ).catch((error: unknown) => {
    if (error instanceof TooManyBytesError) throw invalid("The provider's output is too large.");
    if (error instanceof ProviderError || signal.aborted) throw error;
    throw new ProviderError("upstream_invalid_response", "The provider's output broke off before its end.", {
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
  const measured = await measureFile(file, kind);
  return receivedAs(base, { file }, { ...output, ...measured, contentType, sizeBytes });
}

function receivedAs(
  base: string,
  body: Received["body"],
  { contentType, sizeBytes, width, height, duration }: Measured & { contentType: string; sizeBytes: number },
): Received {
  if (sizeBytes === 0) throw invalid("The provider's output is empty.");
  if (sizeBytes > maxOutputBytes) throw invalid("The provider's output is too large.");
  const key = `${base}.${extensions[contentType] ?? "bin"}`;
  const sizes = { width: width ?? null, height: height ?? null, duration: duration ?? null };
  return { output: { key, contentType, sizeBytes, ...sizes }, body };
}

async function open(context: Context, output: ProviderOutput, signal: AbortSignal) {
  if ("bytes" in output) return output.bytes;
  if ("file" in output) return createReadStream(output.file);
  return "open" in output ? output.open(signal) : fetchOutput(context.log, output.url, signal);
}

function invalid(message: string): ProviderError {
  return new ProviderError("upstream_invalid_response", message, { started: "yes", final: true });
}
