import type { Transcription, TranscriptSegment } from "#gateway/models/providers/provider.ts";
import { doneEvent, eventOf } from "./chat-front.ts";

/** A transcription as text with its content type; null for JSON formats. */
export function transcriptionText(
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

/** A transcription as events of OpenAI's stream: all of its text in one event, once it is known. */
export function transcriptionEvents({ text, usage }: Transcription): string {
  const counted = usage.unit === "second" && { usage: { type: "duration", seconds: usage.quantity } };
  const events = [
    { type: "transcript.text.delta", delta: text },
    { type: "transcript.text.done", text, ...counted },
  ];
  return `${events.map(eventOf).join("")}${doneEvent}`;
}

/** The fields that `verbose_json` adds to `json`. */
export function verboseFields(result: Transcription): Record<string, unknown> {
  const segments = cuesOf(result).map((cue, id) => ({ id, ...cue }));
  return {
    task: "transcribe",
    language: result.language ?? null,
    duration: result.durationSeconds ?? null,
    segments,
    ...(result.words && { words: result.words }),
  };
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

function vtt(cues: TranscriptSegment[]): string {
  const blocks = cues.map(({ start, end, text }) => `${span(start, end, ".")}\n${escaped(cueText(text))}\n`);
  return ["WEBVTT\n", ...blocks].join("\n");
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

/** WebVTT reads these characters as markup and as the arrow of a time line. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
