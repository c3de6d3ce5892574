import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { numberOf, recordsOf, textOf } from "../http/read-body.ts";
import type { ProviderRequest, Transcription, TranscriptSegment, TranscriptWord } from "../provider.ts";
import { measureFile } from "./probe.ts";

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
