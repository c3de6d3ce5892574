import { byName } from "#contract/by-name.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { isRecord, numberOf, recordOf, textOf } from "../http/read-body.ts";
import type { ProviderOutput, ProviderRequest } from "../provider.ts";

const extensionTypes = byName<string>({
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  mp4: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  wav: "audio/wav",
  mp3: "audio/mpeg",
});

/** Keys under which upstreams put the files of a result, best first. */
export const fileKeys: readonly string[] = [
  "images",
  "image",
  "videos",
  "video",
  "audio",
  "audio_file",
  "files",
  "output",
  "results",
  "url",
  "video_url",
  "image_url",
  "audio_url",
  "b64_json",
];

/**
 * Every file in a result, in order: URLs, data URIs, `{url}`, `{b64_json}`, lists of them, or an object with
 * one of the usual keys. Throws `upstream_invalid_response` if there is none: a job without an output has
 * failed.
 */
export function outputsOf(
  result: unknown,
  request: Pick<ProviderRequest, "operation" | "outputField">,
): ProviderOutput[] {
  const found = filesIn(partOf(result, request.outputField), 0, expectedType(request));
  if (found.length === 0)
    throw new ProviderError("upstream_invalid_response", "The provider reported success without an output.", {
      started: "yes",
      final: true,
    });
  return found;
}

/** The value at a path of names with `/` between; the whole result without a path. */
function partOf(result: unknown, names: string | undefined): unknown {
  let part = result;
  for (const name of names?.split("/") ?? []) part = recordOf(part)[name];
  return part;
}

function filesIn(value: unknown, depth: number, fallback: string): ProviderOutput[] {
  if (depth > 4) return [];
  if (typeof value === "string") return fileOf(value, null, fallback);
  if (Array.isArray(value)) return value.flatMap((item) => filesIn(item, depth + 1, fallback));
  if (!isRecord(value)) return [];
  const declared = textOf(value.content_type);
  const url = textOf(value.url);
  if (url !== null) return fileOf(url, declared, fallback).map((file) => ({ ...file, ...sizeOf(value) }));
  const base64 = textOf(value.b64_json);
  if (base64 !== null) return [{ bytes: Buffer.from(base64, "base64"), contentType: declared ?? fallback }];
  for (const key of fileKeys) {
    const files = value[key] === undefined ? [] : filesIn(value[key], depth + 1, fallback);
    if (files.length > 0) return files;
  }
  return [];
}

function fileOf(text: string, declared: string | null, fallback: string): ProviderOutput[] {
  const data = /^data:([^;,]+);base64,/.exec(text);
  if (data)
    return [{ bytes: Buffer.from(text.slice(data[0].length), "base64"), contentType: data[1] ?? fallback }];
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  if (!url) return [];
  const extension = /\.([a-z0-9]{3,4})$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? "";
  return [{ url: url.href, contentType: declared ?? extensionTypes[extension] ?? fallback }];
}

function sizeOf(value: Record<string, unknown>): { width?: number; height?: number; duration?: number } {
  const [width, height, duration] = [numberOf(value.width), numberOf(value.height), numberOf(value.duration)];
  return {
    ...(width !== null && width > 0 && { width }),
    ...(height !== null && height > 0 && { height }),
    ...(duration !== null && duration > 0 && { duration }),
  };
}

/** The assumed type of an operation's output until its bytes are examined for storage. */
function expectedType({ operation }: Pick<ProviderRequest, "operation">): string {
  if (operation.api_type === "video-generation") return "video/mp4";
  return operation.api_type === "text-to-speech" ? "audio/wav" : "image/png";
}
