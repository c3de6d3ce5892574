import { invalidAnswer, maxBytes, numberOf, readBytes, recordOf, textOf } from "../http/read-body.ts";
import { runToEnd } from "../jobs/run-to-end.ts";
import { segmentsOf, transcription } from "../media/transcription.ts";
import { wavOf } from "../media/wav.ts";
import type { Provider, ProviderRequest, ProviderStatus, SyncResult } from "../provider.ts";
import { unsupported } from "./kinds.ts";
import type { OutputFetch } from "./output-fetch.ts";

type Jobs = Pick<Provider, "start" | "status" | "cancel">;

interface Means {
  runMs: number;
  fetchOutput: OutputFetch;
  /** The upstream's answer for a finished job, for results that are not files. */
  resultOf(status: ProviderStatus): unknown;
}

/** Runs a sync operation on an upstream that only has jobs, and converts its result to the operation's output. */
export async function runJobOperation(
  jobs: Jobs,
  request: ProviderRequest,
  means: Means,
): Promise<SyncResult> {
  const kind = request.operation.api_type;
  const isImage = kind === "image-generation" || kind === "image-editing";
  if (!isImage && kind !== "text-to-speech" && kind !== "audio-transcription") throw unsupported(request);
  const done = await runToEnd(jobs, request, means.runMs);
  if (kind === "audio-transcription") return transcriptionOf(means.resultOf(done), request);
  const { outputs } = done;
  if (isImage) return { kind: "images", outputs, usage: { unit: "generation", quantity: outputs.length } };
  const [audio] = outputs;
  const bytes =
    audio && "url" in audio
      ? await readBytes(
          await means.fetchOutput(audio.url, request.signal, maxBytes.media),
          maxBytes.media,
          request.signal,
        )
      : audio && "bytes" in audio
        ? audio.bytes
        : Buffer.alloc(0);
  const quantity = [...String(request.input.input)].length;
  return { kind: "speech", audio: wavOf(bytes), usage: { unit: "character", quantity } };
}

function transcriptionOf(result: unknown, request: ProviderRequest): Promise<SyncResult> {
  const said = recordOf(result);
  const text = typeof result === "string" ? result : (said.text ?? said.transcription);
  if (typeof text !== "string") throw invalidAnswer("The provider's transcription has no text.");
  const language = textOf(said.language) ?? textOf(said.detected_language);
  return transcription(request, text, numberOf(said.duration)).then((answer) => ({
    ...answer,
    ...(language !== null && { language }),
    ...segmentsOf(said),
  }));
}
