import type { CatalogOperation } from "#contract/catalog.ts";
import { failureOf, localFailure } from "../../gateway/result.ts";
import { isObject } from "../../schema-form/json.ts";
import { routeOf } from "../../schema-form/operation-route.ts";
import { sendToGateway } from "../gateway.ts";
import { rememberId } from "../remembered-ids.ts";
import { readEvents } from "../sse.ts";
import { emptyChat, withChunk } from "./chat.ts";
import { outputFromBody } from "./output.ts";
import type { Run, RunMeta } from "./run.ts";

interface StartOptions {
  operation: CatalogOperation;
  run: Run;
  /** Stops waiting; a chat keeps the text that arrived. */
  signal: AbortSignal;
  /** Called at each step with the run so far. */
  onUpdate: (run: Run) => void;
}

/** Sends the run's body to its operation and follows the answer to its end. Never throws for an expected failure. */
export async function startRun({ operation, run, signal, onUpdate }: StartOptions): Promise<Run> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  let current = run;
  const update = (change: Partial<Run>) => {
    current = { ...current, ...change };
    onUpdate(current);
    return current;
  };
  try {
    const sent = await sendToGateway(routeOf(operation.api_type), {
      method: "POST",
      body: run.body,
      headers: { "idempotency-key": run.key },
      signal,
    });
    if (!sent.ok) return update({ state: "failed", failure: sent.error, totalMs: elapsed() });
    const response = sent.data;
    update({ meta: metaOf(response) });
    if (!response.ok) {
      const body: unknown = await response.json().catch(() => null);
      const failure = failureOf(response.status, body, response.headers);
      return update({ state: "failed", failure, raw: body, totalMs: elapsed() });
    }
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream") && response.body)
      return await followStream(response.body, update, elapsed);
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
  } catch (error) {
    if (signal.aborted) return update({ state: "stopped", totalMs: elapsed() });
    const failure = localFailure(
      "connection_lost",
      "The connection was lost before the response was complete. Run again.",
    );
    console.warn("run ended early", error);
    return update({ state: "failed", failure, totalMs: elapsed() });
  }
}

async function followStream(
  stream: ReadableStream<Uint8Array>,
  update: (change: Partial<Run>) => Run,
  elapsed: () => number,
): Promise<Run> {
  let output = emptyChat;
  let firstTokenMs: number | null = null;
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
    if (firstTokenMs === null && output.pieces > 0) firstTokenMs = elapsed();
    update({ output, firstTokenMs, totalMs: elapsed() });
  }
  // A stream without its end mark was cut off, however complete it looks.
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
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
