import {
  invalidAnswer,
  maxBytes,
  numberOf,
  readBytes,
  recordOf,
  recordsOf,
  textOf,
} from "../http/read-body.ts";
import { mediaText, upstreamFields } from "../media/inputs.ts";

import { recordingOf, transcription, wavOf } from "../media/outputs.ts";
import type { Mapped, OutputFetch } from "../protocol.ts";
import type { ProviderRequest, SyncResult } from "../provider.ts";

import { servicePaths } from "./service-paths.ts";

/** Text to speech; the audio is inline, or fetched here from a URL. */
export async function speak(
  { upstream, model, path, fields }: Mapped,
  request: ProviderRequest,
  fetchOutput: OutputFetch,
): Promise<SyncResult> {
  const { input: text, ...rest } = request.input;
  const json = { model, input: { text, ...upstreamFields(rest, fields) } };
  const answer = await upstream.json(
    request,
    { path: path ?? servicePaths.multimodal, json },
    maxBytes.media,
  );
  const { data, url } = recordOf(recordOf(answer.output).audio);
  const quantity = [...String(text)].length;
  const bytes = textOf(data)
    ? Buffer.from(String(data), "base64")
    : await fetched(textOf(url), request, fetchOutput);
  return { kind: "speech", audio: wavOf(bytes), usage: { unit: "character", quantity } };
}

async function fetched(
  url: string | null,
  request: ProviderRequest,
  fetchOutput: OutputFetch,
): Promise<Buffer> {
  if (url === null) throw invalidAnswer("The provider reported success without an output.");
  return readBytes(await fetchOutput(url, request.signal, maxBytes.media), maxBytes.media, request.signal);
}

/** Transcribes with the service that also makes speech: sends a chat with one recording. */
export async function transcribe(mapped: Mapped, request: ProviderRequest): Promise<SyncResult> {
  const { upstream, model, path, fields } = mapped;
  const audio = await mediaText(request, recordingOf(request), mapped.media);
  const { audio: _, ...rest } = request.input;
  const options = upstreamFields(rest, fields);
  const json = {
    model,
    input: { messages: [{ role: "user", content: [{ audio }] }] },
    parameters: { asr_options: { enable_itn: false, ...options } },
  };
  const answer = await upstream.json(request, { path: path ?? servicePaths.multimodal, json });
  const [choice] = recordsOf(recordOf(answer.output).choices);
  const { content, annotations } = recordOf(choice?.message);
  if (!choice || !Array.isArray(content)) throw invalidAnswer("The provider's transcription has no text.");
  // For a silent recording the list is empty, and so is the text.
  const text = recordsOf(content)
    .map((part) => textOf(part.text) ?? "")
    .join("");
  const language = textOf(recordsOf(annotations)[0]?.language);
  const result = await transcription(request, text, numberOf(recordOf(answer.usage).seconds));
  return { ...result, ...(language !== null && { language }) };
}
