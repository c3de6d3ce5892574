import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { CompiledOperation } from "#gateway/catalog/catalog.ts";
import type { ResolvedMedia } from "../provider.ts";

const usualTypes = { image: "image/png", audio: "audio/wav", video: "video/mp4" } as const;
const placeholder = "…";
const placeholderBase64 = Buffer.from(placeholder).toString("base64");

/** The media of an input as they would be resolved, without their bytes: nothing is fetched or opened for a preview. */
export async function exampleMedia(
  compiled: CompiledOperation,
  body: Record<string, unknown>,
  directory: string,
): Promise<ResolvedMedia[]> {
  const file = path.join(directory, "placeholder");
  await writeFile(file, placeholder);
  return compiled.mediaOf(body).map(({ path: pointer, kind, value }) => {
    const known = kind === "any" ? kindOf(value) : kind;
    const contentType = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(value)?.[1] ?? usualTypes[known];
    return { path: pointer, kind: known, contentType, sizeBytes: placeholder.length, file };
  });
}

/** The same text with `…` for the bytes of such media. */
export function withoutBytes(json: string): string {
  return json.replaceAll(`;base64,${placeholderBase64}`, `;base64,${placeholder}`);
}

function kindOf(value: string): ResolvedMedia["kind"] {
  const kind = /^data:(image|audio|video)\//.exec(value)?.[1] as ResolvedMedia["kind"] | undefined;
  return kind ?? "image";
}
