import { openAsBlob } from "node:fs";
import { FormData } from "undici";
import { byName } from "#contract/by-name.ts";
import { countCharacters } from "#contract/characters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { invalidAnswer, maxBytes, numberOf, readBytes, recordOf, textOf } from "../http/read-body.ts";
import { upstreamFields } from "../media/inputs.ts";
import { outputsOf, recordingOf, segmentsOf, transcription, wavOf, wordsOf } from "../media/outputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderOutput, ProviderRequest, SyncResult } from "../provider.ts";

/** Makes or edits images: `POST /images/generations`, or `POST /images/edits` with the pictures as files. */
export async function makeImages(mapped: Mapped, request: ProviderRequest): Promise<ProviderOutput[]> {
  const { upstream } = mapped;
  const call =
    request.operation.api_type === "image-editing"
      ? { path: "/images/edits", form: await editForm(mapped, request) }
      : { path: "/images/generations", json: imageFields(mapped, request) };
  const answer = await upstream.json(request, call, maxBytes.media);
  const outputs = outputsOf(answer.data, request);
  const format = request.input.output_format;
  return typeof format === "string"
    ? outputs.map((output) => ({ ...output, contentType: `image/${format}` }))
    : outputs;
}

/** OpenAI expects sizes as `WxH`, however the catalog entry expresses them. */
function imageFields({ model, fields }: Mapped, request: ProviderRequest): Record<string, unknown> {
  const { image: _, width, height, size, ...rest } = request.input;
  const asked = typeof size === "string" ? size.replace("*", "x") : null;
  const spelled = typeof width === "number" && typeof height === "number" ? `${width}x${height}` : asked;
  return { ...upstreamFields({ ...rest, ...(spelled && { size: spelled }) }, fields), model };
}

async function editForm(mapped: Mapped, request: ProviderRequest): Promise<FormData> {
  const form = new FormData();
  addFields(form, imageFields(mapped, request));
  const pictures = request.media.filter(({ kind }) => kind === "image");
  const name = pictures.length > 1 ? "image[]" : "image";
  for (const [index, { file, contentType }] of pictures.entries()) {
    const ending = contentType.split("/")[1] ?? "png";
    form.append(name, await openAsBlob(file, { type: contentType }), `image-${index + 1}.${ending}`);
  }
  return form;
}

/**
 * Adds scalars as text, lists of scalars as one part per item like OpenAI's client, and anything else as
 * JSON.
 */
export function addFields(form: FormData, fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value) && value.every(isScalar))
      for (const item of value) form.append(`${name}[]`, String(item));
    else form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== "object";
}

/** Speech formats of OpenAI's API other than WAV, with their types. */
export const speechTypes = byName<string>({ opus: "audio/ogg", aac: "audio/aac", flac: "audio/flac" });

/** Text to speech: `POST /audio/speech`, as WAV unless another format was requested. */
export async function speak(
  { upstream, model, fields }: Mapped,
  request: ProviderRequest,
): Promise<SyncResult> {
  const json = {
    ...upstreamFields(request.input, fields),
    model,
    response_format: request.speechFormat ?? "wav",
  };
  const answer = await upstream.open(request, { path: "/audio/speech", json, maxBytes: maxBytes.media });
  const bytes = await readBytes(answer.body, maxBytes.media, request.signal);
  const usage = { unit: "character" as const, quantity: countCharacters(String(request.input.input)) };
  const contentType = speechTypes[request.speechFormat ?? ""];
  if (contentType === undefined) return { kind: "speech", audio: wavOf(bytes), usage };
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(bytes);
  if (found?.mime.split(";")[0] !== contentType)
    throw invalidAnswer(`The provider's speech is not ${request.speechFormat}.`);
  return { kind: "speech", audio: bytes, contentType, usage };
}

/** Speech to text: `POST /audio/transcriptions`, with the recording as a file. */
export async function transcribe(mapped: Mapped, request: ProviderRequest): Promise<SyncResult> {
  const answer = request.wantsSegments
    ? await askTranscription(mapped, request, "verbose_json").catch((error: unknown) => {
        // Some models return no times; the whole text then becomes one segment.
        if (!request.wantsWords && error instanceof ProviderError && error.param === "response_format")
          return askTranscription(mapped, request, "json");
        throw error;
      })
    : await askTranscription(mapped, request, "json");
  if (typeof answer.text !== "string") throw invalidAnswer("The provider's transcription has no text.");
  const reported = numberOf(answer.duration) ?? numberOf(recordOf(answer.usage).seconds);
  const language = textOf(answer.language);
  return {
    ...(await transcription(request, answer.text, reported)),
    ...(language !== null && { language }),
    ...segmentsOf(answer),
    ...(request.wantsWords && wordsOf(answer)),
  };
}

async function askTranscription(
  { upstream, model, fields }: Mapped,
  request: ProviderRequest,
  format: string,
): Promise<Record<string, unknown>> {
  const recording = recordingOf(request);
  const form = new FormData();
  form.set("model", model);
  const { audio: _, ...rest } = request.input;
  addFields(form, { response_format: format, ...upstreamFields(rest, fields) });
  if (request.wantsWords)
    for (const granularity of ["segment", "word"]) form.append("timestamp_granularities[]", granularity);
  form.set(
    "file",
    await openAsBlob(recording.file, { type: recording.contentType }),
    fileName(recording.contentType),
  );
  return upstream.json(request, { path: "/audio/transcriptions", form });
}

/** A file name that upstreams accept: some derive the type from its extension. */
function fileName(contentType: string): string {
  const subtype = contentType.split("/")[1] ?? "bin";
  const ending = byName<string>({ mpeg: "mp3", "x-wav": "wav", mp4: "m4a" });
  return `recording.${ending[subtype] ?? subtype}`;
}
