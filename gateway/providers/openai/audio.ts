import { openAsBlob } from "node:fs";
import { FormData } from "undici";
import { invalidAnswer, maxBytes, numberOf, readBytes, recordOf, textOf } from "../http/read-body.ts";
import { upstreamFields } from "../media/fields.ts";
import { measureFile } from "../media/probe.ts";
import { wavOf } from "../media/wav.ts";
import { ProviderError, type ProviderRequest, type SyncResult } from "../provider.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import { addFields } from "./form.ts";

/** Text to speech: `POST /audio/speech`, WAV or nothing. */
export async function speak(
  { upstream, model, fields }: Mapped,
  request: ProviderRequest,
): Promise<SyncResult> {
  const json = { ...upstreamFields(request.input, fields), model, response_format: "wav" };
  const answer = await upstream.open(request, { path: "/audio/speech", json });
  const audio = wavOf(await readBytes(answer.body, maxBytes.media, request.signal));
  const quantity = [...String(request.input.input)].length;
  return { kind: "speech", audio, usage: { unit: "character", quantity } };
}

/** Speech to text: `POST /audio/transcriptions`, the recording as a file. */
export async function transcribe(
  { upstream, model, fields }: Mapped,
  request: ProviderRequest,
): Promise<SyncResult> {
  const recording = recordingOf(request);
  const form = new FormData();
  form.set("model", model);
  const { audio: _, ...rest } = request.input;
  addFields(form, { response_format: "json", ...upstreamFields(rest, fields) });
  form.set(
    "file",
    await openAsBlob(recording.file, { type: recording.contentType }),
    fileName(recording.contentType),
  );
  const answer = await upstream.json(request, { path: "/audio/transcriptions", form });
  if (typeof answer.text !== "string") throw invalidAnswer("The provider's transcription has no text.");
  const reported = numberOf(answer.duration) ?? numberOf(recordOf(answer.usage).seconds);
  const language = textOf(answer.language);
  return { ...(await transcription(request, answer.text, reported)), ...(language !== null && { language }) };
}

export function recordingOf(request: ProviderRequest) {
  const recording = request.media.find(({ kind }) => kind === "audio");
  if (!recording)
    throw new ProviderError("missing_parameter", "audio is needed.", { started: "no", param: "audio" });
  return recording;
}

/** A transcription, billed by the seconds that the upstream names or, without them, those of the recording. */
export async function transcription(
  request: ProviderRequest,
  text: string,
  reported: number | null,
): Promise<Extract<SyncResult, { kind: "transcription" }>> {
  const seconds = reported ?? (await measureFile(recordingOf(request).file, "audio")).duration ?? 0;
  return {
    kind: "transcription",
    text,
    durationSeconds: Math.round(seconds * 100) / 100,
    usage: { unit: "second", quantity: Math.max(1, Math.ceil(seconds)) },
  };
}

/** A file name that upstreams accept: some tell the type by its end. */
function fileName(contentType: string): string {
  const subtype = contentType.split("/")[1] ?? "bin";
  const ending: Record<string, string> = { mpeg: "mp3", "x-wav": "wav", mp4: "m4a" };
  return `recording.${ending[subtype] ?? subtype}`;
}
