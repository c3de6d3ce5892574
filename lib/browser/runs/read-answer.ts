import type { ApiType, CatalogOperation } from "#contract/catalog.ts";
import { failureOf, localFailure } from "../../gateway/result.ts";
import { isObject, numberOf } from "../../schema-form/json.ts";
import { rememberId } from "../remembered-ids.ts";
import { readEvents } from "../sse.ts";
import { chatFromBody, emptyChat, withChunk } from "./chat.ts";
import type { Run, RunMeta, RunOutput } from "./run.ts";
import { vectorOf } from "./vectors.ts";

/** Reads the answer of a run, streaming if it does; calls `update` after each piece. */
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
  // Without its end mark a stream was cut off, even if it looks complete.
  const failure = localFailure(
    "upstream_stream_interrupted",
    "The stream ended before the response was complete. Run again. The partial response is shown below.",
  );
  return update({ state: "failed", output, failure, raw: lines, totalMs: elapsed() });
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

/** The output to show for a JSON answer; an unknown format is shown as JSON. */
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

function inlineImage(item: Record<string, unknown>): string | null {
  return typeof item.b64_json === "string" ? `data:image/png;base64,${item.b64_json}` : null;
}
