import type { ApiType, CatalogOperation } from "#contract/catalog.ts";
import { failureOf, localFailure } from "../../gateway/result.ts";
import { isObject, numberOf } from "../../schema-form/json.ts";
import { rememberId } from "../remembered-ids.ts";
import type { ChatOutput, Run, RunMeta, RunOutput } from "./run.ts";
import { vectorOf } from "./vectors.ts";

/** Reads the answer of a run, also a streaming one, and calls `update` after each piece. */
export async function readAnswer(
  response: Response,
  operation: CatalogOperation,
  update: (change: Partial<Run>) => Run,
  elapsed: () => number,
): Promise<Run> {
  const { meta } = update({ meta: metaOf(response) });
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => null);
    const failure = failureOf(response.status, body, response.headers);
    return update({ state: "failed", failure, raw: body, totalMs: elapsed() });
  }
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream") && response.body)
    return await followStream(response.body, meta, update, elapsed);
  if (type.startsWith("audio/")) {
    const audio = await response.blob();
    const src = URL.createObjectURL(audio);
    const output = { kind: "speech" as const, src, sizeBytes: audio.size };
    return update({
      state: "succeeded",
      output,
      raw: { content_type: type, size_bytes: audio.size },
      totalMs: elapsed(),
    });
  }
  const body: unknown = await response.json();
  const output = outputFromBody(operation.api_type, body);
  if (output.kind === "prediction") rememberId("prediction", output.id);
  return update({
    state: "succeeded",
    output,
    raw: body,
    totalMs: elapsed(),
    meta: {
      ...metaOf(response),
      sandbox: metaOf(response).sandbox || (isObject(body) && body.sandbox === true),
    },
  });
}

export const emptyChat: ChatOutput = {
  kind: "chat",
  text: "",
  reasoning: "",
  toolCalls: [],
  finishReason: null,
  usage: null,
  pieces: 0,
};

/** One event of a server-sent event stream. */
interface StreamEvent {
  event: string;
  data: string;
}

async function followStream(
  stream: ReadableStream<Uint8Array>,
  meta: RunMeta | null,
  update: (change: Partial<Run>) => Run,
  elapsed: () => number,
): Promise<Run> {
  let output = emptyChat;
  let firstTokenMs: number | null = null;
  let thoughtMs: number | null = null;
  const lines: unknown[] = [];
  for await (const { data } of readEvents(stream)) {
    if (data === "[DONE]") return update({ state: "succeeded", output, raw: lines, totalMs: elapsed() });
    const chunk: unknown = parsed(data);
    lines.push(chunk ?? data);
    if (isObject(chunk) && chunk.error !== undefined) {
      const failure = failureOf(502, chunk, new Headers());
      return update({ state: "failed", output, failure, raw: lines, totalMs: elapsed() });
    }
    output = withChunk(output, chunk);
    const cost = isObject(chunk) && isObject(chunk.svc_cost) ? costOf(chunk.svc_cost) : null;
    if (cost !== null && meta) update({ meta: { ...meta, cost } });
    if (firstTokenMs === null && output.pieces > 0) firstTokenMs = elapsed();
    if (thoughtMs === null && output.reasoning && (output.text || output.toolCalls.length > 0))
      thoughtMs = elapsed() - (firstTokenMs ?? 0);
    update({ output, firstTokenMs, thoughtMs, totalMs: elapsed() });
  }
  // A stream without its end mark was cut off, even if it looks complete.
  const failure = localFailure(
    "upstream_stream_interrupted",
    "The stream ended before the response was complete. Run again. The partial response is shown below.",
  );
  return update({ state: "failed", output, failure, raw: lines, totalMs: elapsed() });
}

/**
 * Parses `text/event-stream` bytes into events, wherever the bytes are split into chunks. Skips comments (`:
 * keepalive`). As the standard requires, drops an event that the end of the stream cut off. Not
 * `eventsource-parser` 4.1, which takes an eighth more processor time for a chat with single events.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A lone \r at the end of a chunk may be half of a \r\n.
      const complete = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
      const blocks = complete.split(/\r\n\r\n|\n\n|\r\r/);
      const open = blocks.pop() ?? "";
      rest = open + rest.slice(complete.length);
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): StreamEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (line.startsWith(":")) continue;
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    if (name === "event") event = value;
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
}

const asText = (value: unknown) => (typeof value === "string" ? value : "");

/** Adds a chunk in OpenAI's format to the answer so far. */
function withChunk(chat: ChatOutput, chunk: unknown): ChatOutput {
  if (!isObject(chunk)) return chat;
  const choice = Array.isArray(chunk.choices) ? chunk.choices.find(isObject) : undefined;
  const usage = isObject(chunk.usage) ? { usage: chunk.usage } : {};
  if (!choice) return { ...chat, ...usage };
  const delta = isObject(choice.delta) ? choice.delta : {};
  const [text, reasoning] = [asText(delta.content), asText(delta.reasoning_content)];
  return {
    ...chat,
    ...usage,
    text: chat.text + text,
    reasoning: chat.reasoning + reasoning,
    toolCalls: withCallDeltas(chat.toolCalls, delta.tool_calls),
    finishReason: asText(choice.finish_reason) || chat.finishReason,
    pieces: chat.pieces + (text || reasoning ? 1 : 0),
  };
}

/** Tool calls also arrive in pieces: the first names the call, the others extend its arguments. */
function withCallDeltas(calls: ChatOutput["toolCalls"], deltas: unknown): ChatOutput["toolCalls"] {
  if (!Array.isArray(deltas)) return calls;
  const next = [...calls];
  for (const delta of deltas.filter(isObject)) {
    const index = typeof delta.index === "number" ? delta.index : next.length;
    const called = isObject(delta.function) ? delta.function : {};
    const old = next[index] ?? { id: "", name: "", arguments: "" };
    next[index] = {
      id: asText(delta.id) || old.id,
      name: old.name + asText(called.name),
      arguments: old.arguments + asText(called.arguments),
    };
  }
  return next;
}

function metaOf(response: Response): RunMeta {
  const { headers, status } = response;
  return {
    status,
    requestId: headers.get("x-request-id"),
    region: headers.get("x-svc-region"),
    generationId: headers.get("x-svc-generation-id"),
    sandbox: headers.get("x-svc-sandbox") === "true",
    ignoredParams: (headers.get("x-svc-ignored-params") ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean),
    replayed: headers.get("idempotent-replayed") === "true",
    cost: headers.get("x-svc-cost"),
  };
}

function costOf({ amount, currency }: Record<string, unknown>): string | null {
  return typeof amount === "string" ? `${amount} ${String(currency)}` : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The output to show for a JSON answer. An unknown format is shown as JSON. */
function outputFromBody(apiType: ApiType, body: unknown): RunOutput {
  if (!isObject(body)) return { kind: "other", body };
  if (typeof body.poll_url === "string" && typeof body.id === "string")
    return { kind: "prediction", id: body.id };
  if (apiType === "chat-completions") return chatFromBody(body);
  if (apiType === "audio-transcription" && typeof body.text === "string")
    return { kind: "transcript", text: body.text };
  if (apiType === "voice-management" && "data" in body)
    return { kind: "voices", action: String(body.action ?? ""), data: body.data };
  if (apiType === "embeddings" && Array.isArray(body.data)) {
    const vectors = body.data.filter(isObject).map(({ embedding }) => vectorOf(embedding));
    if (vectors.every((vector) => vector !== null)) return { kind: "vectors", vectors };
  }
  if (apiType === "rerank" && Array.isArray(body.results))
    return {
      kind: "ranking",
      results: body.results
        .filter(isObject)
        .map(({ index, relevance_score: score }) => ({ index: Number(index), score: Number(score) })),
    };
  if (Array.isArray(body.data)) {
    const images = body.data.filter(isObject).flatMap((item) => {
      const url = typeof item.url === "string" ? item.url : inlineImage(item);
      return url ? [{ url, width: numberOf(item.width), height: numberOf(item.height) }] : [];
    });
    if (images.length > 0) return { kind: "images", images };
  }
  return { kind: "other", body };
}

/** A chat answer that was not streamed. */
function chatFromBody(body: Record<string, unknown>): ChatOutput {
  const choice = Array.isArray(body.choices) ? body.choices.find(isObject) : undefined;
  const message = choice && isObject(choice.message) ? choice.message : {};
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const usage = isObject(body.usage) ? body.usage : null;
  return {
    ...emptyChat,
    text: asText(message.content),
    reasoning: asText(message.reasoning_content),
    toolCalls: withCallDeltas(
      [],
      calls.filter(isObject).map((call, index) => ({ ...call, index })),
    ),
    finishReason: asText(choice?.finish_reason) || null,
    usage,
    pieces: 0,
  };
}

function inlineImage(item: Record<string, unknown>): string | null {
  return typeof item.b64_json === "string" ? `data:image/png;base64,${item.b64_json}` : null;
}
