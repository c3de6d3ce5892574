import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Context } from "#gateway/context.ts";
import type { StoredOutput } from "#gateway/database/tables/predictions.ts";
import { fetchOutput } from "#gateway/network/fetch-output.ts";
import { ProviderError, type ProviderOutput } from "#gateway/providers/provider.ts";

/** The largest single output that is copied, in bytes. */
export const maxOutputBytes = 1024 * 1024 * 1024;

const extensions: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
};

/** Copies what a provider made into our store under `outputs/<ownerId>/`; its own URLs are never handed out. */
export async function storeOutputs(
  context: Context,
  ownerId: string,
  outputs: ProviderOutput[],
  signal: AbortSignal,
): Promise<StoredOutput[]> {
  const stored: StoredOutput[] = [];
  for (const [index, output] of outputs.entries()) {
    const key = `outputs/${ownerId}/${index + 1}.${extensions[output.contentType] ?? "bin"}`;
    const { sizeBytes } = await copyInto(context, key, output, signal);
    if (sizeBytes === 0)
      throw new ProviderError("upstream_invalid_response", "The provider's output is empty.", {
        started: "yes",
      });
    stored.push({
      key,
      contentType: output.contentType,
      sizeBytes,
      width: output.width ?? null,
      height: output.height ?? null,
      duration: output.duration ?? null,
    });
  }
  return stored;
}

async function copyInto(
  context: Context,
  key: string,
  output: ProviderOutput,
  signal: AbortSignal,
): Promise<{ sizeBytes: number }> {
  const options = { contentType: output.contentType, maxBytes: maxOutputBytes };
  if ("bytes" in output) return context.store.put(key, output.bytes, options);
  if ("file" in output) {
    await stat(output.file);
    return context.store.put(key, createReadStream(output.file), options);
  }
  return context.store.put(key, await fetchOutput(context, output.url, signal), options);
}
