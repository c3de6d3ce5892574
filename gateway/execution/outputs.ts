import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { CatalogOperation } from "#contract/catalog.ts";
import { isId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import type { StoredOutput } from "#gateway/database/tables/predictions.ts";
import { fetchOutput } from "#gateway/network/fetch-output.ts";
import { withPrivateDirectory } from "#gateway/predictions/media.ts";
import { measureFile } from "#gateway/providers/media/probe.ts";
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

/** A file that is ours already, made by the sandbox: its type and measures are known. */
type OwnFile = Extract<ProviderOutput, { file: string }>;

/** Where an output goes, and the keys of all that the owner's outputs were given so far. */
interface Place {
  base: string;
  given: string[];
}

/**
 * Copies what a provider made into our store under `outputs/<ownerId>/`; its own URLs are never handed out. When one
 * cannot be copied those of a generation are removed again.
 */
export async function storeOutputs(
  context: Context,
  ownerId: string,
  outputs: ProviderOutput[],
  signal: AbortSignal,
): Promise<StoredOutput[]> {
  const stored: StoredOutput[] = [];
  const given: string[] = [];
  try {
    for (const [index, output] of outputs.entries()) {
      const place = { base: `outputs/${ownerId}/${index + 1}`, given };
      stored.push(
        isMeasured(output)
          ? await put(context, place, output, output)
          : await withPrivateDirectory((directory) => receive(context, place, output, directory, signal)),
      );
    }
    return stored;
  } catch (error) {
    // Not those of a prediction: a process that took it over may be storing the same keys.
    if (isId("generation", ownerId)) await remove(context, given);
    throw error;
  }
}

async function remove(context: Context, keys: string[]): Promise<void> {
  try {
    for (const key of keys) await context.store.delete(key);
  } catch (error) {
    context.log.warn({ err: error, keys }, "outputs of a run that failed were not removed");
  }
}

/** What outputs cost where the provider does not say: their seconds, else their number. */
export function usageOf(operation: CatalogOperation, outputs: StoredOutput[]): Usage {
  const unit = operation.billing_unit;
  if (unit !== "second") return { unit, quantity: outputs.length };
  const seconds = outputs.reduce((sum, output) => sum + (output.duration ?? 0), 0);
  // A last frame that hangs over is no second begun.
  return { unit, quantity: Math.max(1, Math.ceil(seconds - 0.25)) };
}

function isMeasured(output: ProviderOutput): output is ProviderOutput & { width: number; height: number } {
  return output.width !== undefined && ("bytes" in output || "file" in output);
}

/** Takes an upstream's file whole, believes its bytes and not its name, and measures it. */
async function receive(
  context: Context,
  place: Place,
  output: ProviderOutput,
  directory: string,
  signal: AbortSignal,
): Promise<StoredOutput> {
  const { file } = await spool(await open(context, output, signal), directory, maxOutputBytes).catch(
    (error: unknown) => {
      if (error instanceof TooManyBytesError) throw invalid("The provider's output is too large.");
      if (error instanceof ProviderError || signal.aborted) throw error;
      throw new ProviderError(
        "upstream_invalid_response",
        "The provider's output broke off before its end.",
        {
          started: "yes",
          cause: error,
        },
      );
    },
  );
  const sniffed = await sniffFile(file);
  const wanted = output.contentType.split("/")[0];
  const family = (["image", "audio", "video"] as const).find(
    (name) => name === wanted && sniffed?.types[name] !== undefined,
  );
  const kind = family ?? sniffed?.family;
  const contentType = kind && sniffed?.types[kind];
  if (!kind || !contentType) throw invalid("The provider's output is not a media file.");
  const measured = await measureFile(file, kind);
  return put(context, place, { file, contentType, ...measured }, output);
}

async function put(
  context: Context,
  { base, given }: Place,
  source: OwnFile | ProviderOutput,
  declared: ProviderOutput,
): Promise<StoredOutput> {
  const { contentType } = source;
  const key = `${base}.${extensions[contentType] ?? "bin"}`;
  if ("file" in source) await stat(source.file);
  const body = "bytes" in source ? source.bytes : "file" in source ? createReadStream(source.file) : null;
  if (body === null) throw new Error("An output that was not received cannot be stored");
  given.push(key);
  const { sizeBytes } = await context.store.put(key, body, { contentType, maxBytes: maxOutputBytes });
  if (sizeBytes === 0) throw invalid("The provider's output is empty.");
  return {
    key,
    contentType,
    sizeBytes,
    width: source.width ?? declared.width ?? null,
    height: source.height ?? declared.height ?? null,
    duration: source.duration ?? declared.duration ?? null,
  };
}

async function open(context: Context, output: ProviderOutput, signal: AbortSignal) {
  if ("bytes" in output) return output.bytes;
  if ("file" in output) return createReadStream(output.file);
  return "open" in output ? output.open(signal) : fetchOutput(context.log, output.url, signal);
}

function invalid(message: string): ProviderError {
  return new ProviderError("upstream_invalid_response", message, { started: "yes", final: true });
}
