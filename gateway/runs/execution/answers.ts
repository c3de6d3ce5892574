import { callerWaitsMs } from "#gateway/files/storage/store-room.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import {
  documentTexts,
  type Embeddings,
  type Ranking,
  type SpokenText,
  type SyncResult,
  type Transcription,
  type TranscriptSegment,
} from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { Answer } from "#gateway/platform/http/idempotency.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import type { Served } from "#gateway/runs/operations/dispatch.ts";
import type { OutputCheck } from "#gateway/runs/operations/output-check.ts";
import { signAnswer, storeGeneration } from "#gateway/runs/operations/outputs.ts";
import { isStreamedText } from "#gateway/runs/operations/parameters.ts";
import { doneEvent, eventOf } from "./chat-front.ts";

const notInHeaders = /[^\x21-\x2b\x2d-\x7e]/gu;

const ignoredMaxLength = 1000;

/** The headers of every operation's answer. */
export function operationHeaders(
  admitted: Admitted,
  id: string,
  { provider, region }: Pick<Served<unknown>, "provider" | "region">,
): Record<string, string> {
  return {
    "x-svc-generation-id": id,
    "x-svc-region": region,
    ...aliasHeader(admitted),
    ...(provider.sandbox && { "x-svc-sandbox": "true" }),
    ...ignoredHeader([
      ...admitted.ignored,
      ...(admitted.native && provider.speaks !== admitted.native.protocol ? admitted.native.ignored : []),
      ...(provider.ignores?.({ operation: admitted.compiled.operation, input: admitted.input }) ?? []),
    ]),
  };
}

/**
 * Names the alias of the request and the model behind it, because not every answer names the model in its
 * body.
 */
export function aliasHeader({ alias, compiled }: Admitted): Record<string, string> {
  return alias === undefined ? {} : { "x-svc-alias": alias, "x-svc-model": compiled.model.id };
}

/**
 * Lists the ignored parameters. The names come from the client, so they are encoded for a header and
 * shortened.
 */
export function ignoredHeader(ignored: readonly string[]): Record<string, string> {
  let names = "";
  for (const name of ignored) {
    const encoded = name.toWellFormed().replaceAll(notInHeaders, encodeURIComponent);
    if (names.length + encoded.length > ignoredMaxLength) break;
    names += names === "" ? encoded : `, ${encoded}`;
  }
  return names === "" ? {} : { "x-svc-ignored-params": names };
}

interface Ending {
  signal: AbortSignal;
  /** Asks about stored images; everything else was asked about before. */
  check: OutputCheck | null;
}

/** Formats a sync result for OpenAI's clients, with the fields that the specification requires. */
export async function answerOf(
  context: RunsContext,
  admitted: Admitted,
  id: string,
  served: Served<SyncResult>,
  end: Ending,
): Promise<Answer> {
  const { result } = served;
  const headers: Record<string, string> = {
    ...operationHeaders(admitted, id, served),
    "content-type": "application/json; charset=utf-8",
  };
  const common = { id, model: admitted.compiled.model.id, svc_region: served.region };
  const answer = (body: unknown): Answer => ({ status: 200, headers, body });
  const { usage } = result;
  switch (result.kind) {
    case "chat":
      return answer({
        ...common,
        object: "chat.completion",
        created: unixNow(),
        system_fingerprint: null,
        ...result.completion,
      });
    case "speech": {
      const speech = await speechAs(admitted.body.response_format, result);
      headers["content-type"] = speech.contentType;
      headers[`x-svc-usage-${usage.unit}s`] = String(usage.quantity);
      return answer(await signAnswer(context, served, speech));
    }
    case "transcription": {
      const format = admitted.body.response_format;
      const { api_type: apiType } = admitted.compiled.operation;
      const written = isStreamedText(apiType, admitted.body)
        ? { contentType: "text/event-stream; charset=utf-8", text: transcriptionEvents(result) }
        : transcriptionText(format, result);
      if (written) {
        headers["content-type"] = written.contentType;
        headers[`x-svc-usage-${usage.unit}s`] = String(usage.quantity);
        return answer(Buffer.from(written.text));
      }
      return answer({
        ...common,
        text: result.text,
        ...(result.language && { language: result.language }),
        ...(result.durationSeconds !== undefined && { duration_seconds: result.durationSeconds }),
        ...(usage.unit === "second" && { usage: { type: "duration", seconds: usage.quantity } }),
        svc_usage: usage,
        ...(format === "verbose_json" && verboseFields(result)),
      });
    }
    case "voices":
      return answer({ ...common, action: admitted.body.action, data: result.data, svc_usage: usage });
    case "embeddings":
      return answer({ ...common, ...embeddingList(result, admitted.body) });
    case "rerank":
      return answer({ ...common, ...rankedList(result, admitted.body), svc_usage: usage });
    case "images":
      return answer({
        ...common,
        created: unixNow(),
        data: await images(context, admitted, served, result, end),
        svc_usage: usage,
      });
  }
}

/** Speech in its final format: providers answer WAV, and the gateway makes the other formats from it. */
interface Speech {
  bytes: Buffer;
  contentType: string;
}

/** The MP3 bit rate in kbit/s: speech needs little. */
const mp3Bitrate = 96;

/** Samples encoded at once: a second of speech or less. */
const stepSamples = 16_384;

const chunkHeader = 8;

const firstChunk = 12;

const pcmFormat = 1;

const sampleBytes = 2;

interface Samples {
  samples: Buffer;
  sampleRate: number;
  channels: number;
}

/**
 * Speech in the requested format: unchanged if the provider made that format, otherwise `wav`, `pcm` (its
 * samples, 16 bit, little-endian) or `mp3`. Throws `upstream_invalid_response` if it is not a WAV of whole
 * 16-bit samples.
 */
export async function speechAs(format: unknown, { audio: wav, contentType }: SpokenText): Promise<Speech> {
  if (contentType !== undefined) return { bytes: wav, contentType };
  if (format !== "pcm" && format !== "mp3") return { bytes: wav, contentType: "audio/wav" };
  const { samples, sampleRate, channels } = samplesOf(wav);
  if (format === "pcm")
    return { bytes: samples, contentType: `audio/pcm;rate=${sampleRate};channels=${channels}` };
  return { bytes: await mp3Of(samples, sampleRate, channels), contentType: "audio/mpeg" };
}

function samplesOf(wav: Buffer): Samples {
  let format: { sampleRate: number; channels: number } | null = null;
  for (let at = firstChunk; at + chunkHeader <= wav.length; ) {
    const id = wav.toString("latin1", at, at + 4);
    const size = wav.readUInt32LE(at + 4);
    const body = wav.subarray(at + chunkHeader, at + chunkHeader + size);
    if (
      id === "fmt " &&
      body.length >= 16 &&
      body.readUInt16LE(0) === pcmFormat &&
      body.readUInt16LE(14) === 16
    )
      format = { channels: body.readUInt16LE(2), sampleRate: body.readUInt32LE(4) };
    if (id === "data" && format) return { ...format, samples: body };
    at += chunkHeader + size + (size % 2);
  }
  throw new ApiError(
    "upstream_invalid_response",
    "The provider's speech is not a WAV of 16-bit samples, so only response_format wav is possible.",
  );
}

async function mp3Of(samples: Buffer, sampleRate: number, channels: number): Promise<Buffer> {
  const { createMp3Encoder } = await import("wasm-media-encoders");
  const encoder = await createMp3Encoder();
  const kept = channels === 1 ? 1 : 2;
  encoder.configure({ channels: kept, sampleRate, bitrate: mp3Bitrate });
  const pause = yieldToEventLoop();
  const frames = Math.floor(samples.length / (sampleBytes * channels));
  const parts: Buffer[] = [];
  for (let from = 0; from < frames; from += stepSamples) {
    const count = Math.min(stepSamples, frames - from);
    const step = Array.from({ length: kept }, (_, channel) =>
      Float32Array.from(
        { length: count },
        (_, at) => samples.readInt16LE(((from + at) * channels + channel) * sampleBytes) / 32_768,
      ),
    );
    // The encoder reuses its output memory, so the bytes are copied.
    parts.push(Buffer.from(encoder.encode(step)));
    await pause();
  }
  parts.push(Buffer.from(encoder.finalize()));
  return Buffer.concat(parts);
}

/**
 * Embeddings in OpenAI's format: as numbers, or as the bytes of 32-bit floats, whichever the upstream sent.
 */
function embeddingList(
  { vectors, usage }: Embeddings,
  { encoding_format: encoding }: Record<string, unknown>,
): Record<string, unknown> {
  return {
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: encoding === "base64" ? floatsAsBase64(vector) : vector,
    })),
    usage: { prompt_tokens: usage.quantity, total_tokens: usage.quantity },
  };
}

/** Little-endian, as every client expects. */
function floatsAsBase64(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}

/** A ranking in Cohere's format. */
function rankedList(
  { results }: Ranking,
  { documents, top_n: most, return_documents: withTexts }: Record<string, unknown>,
): Record<string, unknown> {
  const texts = documentTexts(documents);
  return {
    results: results.slice(0, typeof most === "number" ? most : undefined).map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(withTexts === true && { document: { text: texts[index] } }),
    })),
    meta: { api_version: { version: "2" }, billed_units: { search_units: 1 } },
  };
}

/** A transcription as text with its content type; null for JSON formats. */
function transcriptionText(
  format: unknown,
  result: Transcription,
): { contentType: string; text: string } | null {
  switch (format) {
    case "text":
      return { contentType: "text/plain; charset=utf-8", text: `${result.text}\n` };
    case "srt":
      return { contentType: "application/x-subrip; charset=utf-8", text: srt(cuesOf(result)) };
    case "vtt":
      return { contentType: "text/vtt; charset=utf-8", text: vtt(cuesOf(result)) };
    default:
      return null;
  }
}

/** The segments, or one cue with the whole text and the recording's length. */
function cuesOf({ text, segments = [], durationSeconds = 0 }: Transcription): TranscriptSegment[] {
  const said = segments.filter((segment) => segment.text.trim() !== "");
  if (said.length > 0) return said;
  return text.trim() === "" ? [] : [{ start: 0, end: durationSeconds, text }];
}

function srt(cues: TranscriptSegment[]): string {
  return cues
    .map(({ start, end, text }, index) => `${index + 1}\n${span(start, end, ",")}\n${cueText(text)}\n`)
    .join("\n");
}

function span(start: number, end: number, point: string): string {
  return `${cueTime(start, point)} --> ${cueTime(end, point)}`;
}

/** `00:01:02,345` */
function cueTime(seconds: number, point: string): string {
  const totalMs = Math.round(Math.max(0, seconds) * 1000);
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, "0");
  const minutes = totalMs / 60_000;
  return `${pad(minutes / 60, 2)}:${pad(minutes % 60, 2)}:${pad((totalMs / 1000) % 60, 2)}${point}${pad(totalMs % 1000, 3)}`;
}

/** An empty line would end the cue. */
function cueText(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, "\n");
}

function vtt(cues: TranscriptSegment[]): string {
  const blocks = cues.map(({ start, end, text }) => `${span(start, end, ".")}\n${escaped(cueText(text))}\n`);
  return ["WEBVTT\n", ...blocks].join("\n");
}

/** WebVTT reads these characters as markup and as the arrow of a time line. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A transcription as events of OpenAI's stream: all of its text in one event, once it is known. */
function transcriptionEvents({ text, usage }: Transcription): string {
  const counted = usage.unit === "second" && { usage: { type: "duration", seconds: usage.quantity } };
  const events = [
    { type: "transcript.text.delta", delta: text },
    { type: "transcript.text.done", text, ...counted },
  ];
  return `${events.map(eventOf).join("")}${doneEvent}`;
}

/** The fields that `verbose_json` adds to `json`. */
function verboseFields(result: Transcription): Record<string, unknown> {
  const segments = cuesOf(result).map((cue, id) => ({ id, ...cue }));
  return {
    task: "transcribe",
    language: result.language ?? null,
    duration: result.durationSeconds ?? null,
    segments,
    ...(result.words && { words: result.words }),
  };
}

async function images(
  context: RunsContext,
  admitted: Admitted,
  served: Served<SyncResult>,
  result: Extract<SyncResult, { kind: "images" }>,
  { signal, check }: Ending,
): Promise<Record<string, unknown>[]> {
  const patience = { signal, until: clock.now() + callerWaitsMs, check };
  const { files, expiresAt } = await storeGeneration(context, admitted, served, result.outputs, patience);
  const inline = admitted.body.response_format === "b64_json";
  const { id: model } = admitted.compiled.model;
  return Promise.all(
    files.map(async (output) => ({
      ...(inline
        ? { b64_json: await base64Of(context, output.key) }
        : {
            url: Clearance.full.addresses(context, { ...output, model, expiresAt }).url,
            expires_at: expiresAt.toISOString(),
          }),
      content_type: output.contentType,
      width: output.width,
      height: output.height,
    })),
  );
}

export async function base64Of(context: RunsContext, key: string): Promise<string> {
  const object = await context.store.get(key);
  if (!object) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of object.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("base64");
}

export function unixNow(): number {
  return Math.floor(clock.now() / 1000);
}
