import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { countValues, maxNewNames } from "#gateway/platform/http/body-bounds.ts";
import { connectionFailure, type HttpAnswer } from "./http-client.ts";

/** The largest answers read into memory. */
export const maxBytes = {
  /** For an error, the start of the answer is enough. */
  error: 64 * 1024,
  /** Chat completions and job states. */
  json: 16 * 1024 * 1024,
  /** Answers that carry files as base64, and speech. */
  media: 160 * 1024 * 1024,
} as const;

/** A shorter text has few enough names. */
const maxUncountedCharacters = 4 * maxNewNames;

/** The whole body. Throws `upstream_invalid_response` when it is larger or incomplete. */
export async function readBytes(body: Readable, limit: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ProviderError || signal.aborted) throw error;
    throw connectionFailure(error, true);
  }
  return Buffer.concat(chunks, size);
}

/** The start of an error's body as text; errors while reading are ignored. */
export async function readStart(answer: HttpAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes.error) break;
    }
  } catch {
    // The part that arrived before the error is enough.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes.error).toString("utf8");
}

/** A JSON object. Throws `upstream_invalid_response`. */
export async function readJson(
  answer: HttpAnswer,
  limit: number,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  return jsonOf(await readBytes(answer.body, limit, signal));
}

/** The JSON object in `bytes`. Throws `upstream_invalid_response`. */
export function jsonOf(bytes: Buffer): Record<string, unknown> {
  const value = parsed(bytes.toString("utf8"));
  if (!isRecord(value)) throw invalidAnswer("The provider's answer is not a JSON object.");
  return value;
}

export function tooLarge(limit: number): ProviderError {
  return invalidAnswer(`The provider's answer is larger than ${limit} bytes.`);
}

/** The parsed text; null if it is not JSON, or has more new names than a body may have. */
export function parsed(text: string): unknown {
  if (text.length > maxUncountedCharacters && countValues(text).newNames > maxNewNames) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The value if it is an object, otherwise an empty object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The error for an answer that breaks the upstream's API. */
export function invalidAnswer(message: string): ProviderError {
  return new ProviderError("upstream_invalid_response", message, { started: "yes" });
}

/** The largest event. */
const maxEventBytes = 4 * 1024 * 1024;

const lineFeed = 10;
const carriageReturn = 13;

/**
 * The data of each server-sent event, in order. Skips comments, other fields and an unfinished last line. The
 * blank line after the last event may be missing. Lines are split as bytes, so a line that is not UTF-8 spoils
 * no other one: it counts as an event of its own, which is null.
 */
export async function* readEvents(
  body: AsyncIterable<Buffer>,
  maxBytes = maxEventBytes,
): AsyncGenerator<string | null> {
  let pending: Buffer[] = [];
  let eventBytes = 0;
  let data: string[] = [];
  let isFirst = true;
  for await (const chunk of body) {
    eventBytes += chunk.length;
    if (eventBytes > maxBytes) throw invalidAnswer("An event of the provider's stream is too large.");
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const piece = chunk.subarray(start, end);
      let line = lineIn(pending.length > 0 ? Buffer.concat([...pending, piece]) : piece);
      start = end + 1;
      pending = [];
      if (isFirst && line?.startsWith("\uFEFF")) line = line.slice(1);
      isFirst = false;
      if (line?.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      if (line !== null && line !== "") continue;
      if (data.length > 0) yield data.join("\n");
      if (line === null) yield null;
      data = [];
      eventBytes = chunk.length - start;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (data.length > 0) yield data.join("\n");
}

/** A line as text; null if it is not UTF-8. A comment may be anything. */
function lineIn(bytes: Buffer): string | null {
  const text = bytes.toString("utf8", 0, bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length);
  return text.includes("\uFFFD") && !isUtf8(bytes) && !text.startsWith(":") ? null : text;
}
