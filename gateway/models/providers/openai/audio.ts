import { openAsBlob } from "node:fs";
import { FormData } from "undici";
import { byName } from "#contract/by-name.ts";
import { countCharacters } from "#contract/characters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { invalidAnswer, maxBytes, numberOf, readBytes, recordOf, textOf } from "../http/read-body.ts";
import { upstreamFields } from "../media/inputs.ts";
import { recordingOf, segmentsOf, transcription, wavOf, wordsOf } from "../media/outputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderRequest, SyncResult } from "../provider.ts";
import { addFields } from "./form.ts";

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
