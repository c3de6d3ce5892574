import { byName } from "#contract/by-name.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { invalidAnswer, numberOf, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import type {
  ProviderOutput,
  ProviderRequest,
  Transcription,
  TranscriptSegment,
  TranscriptWord,
} from "../provider.ts";
import { measureFile } from "./probe.ts";

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

/**
 * The timed segments of an upstream's transcription: `segments` from OpenAI and Whisper, or `chunks` with a
 * `timestamp` from others.
 */
export function segmentsOf(answer: Record<string, unknown>): { segments?: TranscriptSegment[] } {
  const segments = [...recordsOf(answer.segments), ...recordsOf(answer.chunks)].flatMap((part) => {
    const [from, to] = Array.isArray(part.timestamp) ? part.timestamp : [part.start, part.end];
    const start = numberOf(from);
    const end = numberOf(to);
    return start === null || end === null ? [] : [{ start, end, text: textOf(part.text)?.trim() ?? "" }];
  });
  return segments.length > 0 ? { segments } : {};
}

export function recordingOf(request: ProviderRequest) {
  const recording = request.media.find(({ kind }) => kind === "audio");
  if (!recording)
    throw new ProviderError("missing_parameter", "audio is required.", { started: "no", param: "audio" });
  return recording;
}

/**
 * A transcription, billed by the seconds that the upstream reports, otherwise by the length of the recording.
 */
export async function transcription(
  request: ProviderRequest,
  text: string,
  reported: number | null,
): Promise<Transcription> {
  const seconds = reported ?? (await measureFile(recordingOf(request).file, "audio")).duration ?? 0;
  return {
    kind: "transcription",
    text,
    durationSeconds: Math.round(seconds * 100) / 100,
    usage: { unit: "second", quantity: Math.max(1, Math.ceil(seconds)) },
  };
}

/** The time of each word, in the format of OpenAI and Whisper. */
export function wordsOf(answer: Record<string, unknown>): { words?: TranscriptWord[] } {
  const words = recordsOf(answer.words).flatMap(({ word, start, end }) => {
    const said = textOf(word);
    return said !== null && typeof start === "number" && typeof end === "number"
      ? [{ word: said, start, end }]
      : [];
  });
  return words.length > 0 ? { words } : {};
}

const riffHeader = 12;

const chunkHeader = 8;

/**
 * Checks that bytes are a WAV file, and fills in the lengths that streaming upstreams leave out.
 * Throws `upstream_invalid_response`, so that an MP3 is never returned as WAV.
 */
export function wavOf(bytes: Buffer): Buffer {
  if (
    bytes.length < 44 ||
    bytes.toString("latin1", 0, 4) !== "RIFF" ||
    bytes.toString("latin1", 8, 12) !== "WAVE"
  )
    throw invalidAnswer("The provider's speech is not a WAV file.");
  const whole = Buffer.from(bytes);
  whole.writeUInt32LE(whole.length - chunkHeader, 4);
  let at = riffHeader;
  while (at + chunkHeader <= whole.length) {
    const id = whole.toString("latin1", at, at + 4);
    const size = whole.readUInt32LE(at + 4);
    const rest = whole.length - at - chunkHeader;
    const open = size > rest || (id === "data" && size === 0);
    if (id === "data" && open) whole.writeUInt32LE(rest, at + 4);
    if (open) break;
    at += chunkHeader + size + (size % 2);
  }
  return whole;
}
