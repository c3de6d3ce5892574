import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { type CollectedSpan, startCollector } from "#gateway/testing/collector.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { programScene } from "#gateway/testing/program-scene.ts";
import { isTelemetryWanted } from "./telemetry.ts";

let session: string;
let stop: () => Promise<void>;

const collector = shared(startCollector);
const scene = shared(() =>
  programScene({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_BLRP_SCHEDULE_DELAY: "50",
    OTEL_METRIC_EXPORT_INTERVAL: "500",
    OTEL_METRIC_EXPORT_TIMEOUT: "400",
    METRICS_TOKEN: "a-token-that-only-tests-know",
    WEBHOOK_BACKOFF_BASE_MS: "50",
  }),
);
beforeAll(async () => {
  const program = await scene.start();
  ({ session } = await scene.signIn());
  stop = async () => {
    program.kill("SIGKILL");
    await once(program, "exit");
  };
});

const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

/** Sends a request like a client with its own tracing. */
async function post(
  path: string,
  body: object,
  trace = caller.traceId,
  more: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${scene.url}${path}`, {
    method: "POST",
    headers: {
      ...more,
      authorization: `Bearer ${session}`,
      "content-type": "application/json",
      traceparent: `00-${trace}-${caller.spanId}-01`,
    },
    body: JSON.stringify(body),
  });
}

const spanOf = (trace: string, name: string, more: (span: CollectedSpan) => boolean = () => true) =>
  collector.until(({ spans }) =>
    spans.find((span) => span.traceId === trace && span.name === name && more(span)),
  );

describe("a chat", () => {
  it("is one trace from the caller's span to the try at its provider, without a word of its prompt", async () => {
    const messages = [{ role: "user", content: "tell-nobody-of-this-prompt" }];
    const answer = await post("/chat/completions", { model: "svc/chat-1", messages });
    expect(answer.status).toBe(200);
    const call = await spanOf(caller.traceId, "chat svc/chat-1");
    const request = await spanOf(caller.traceId, "POST /v1/chat/completions");
    expect(request).toMatchObject({ kind: 2, parentSpanId: caller.spanId });
    expect(request.attributes).toMatchObject({
      "http.response.status_code": 200,
      "gen_ai.request.model": "svc/chat-1",
      "gatehouse.request.id": answer.headers.get("x-request-id"),
    });
    expect(call).toMatchObject({ kind: 3, parentSpanId: request.spanId });
    expect(call.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "sandbox",
      "gen_ai.usage.input_tokens": expect.any(Number),
      "gen_ai.response.finish_reasons": ["stop"],
    });
    expect(request.events).toEqual(["admitted"]);
    expect(collector.text()).not.toContain("tell-nobody-of-this-prompt");
  });

  it("that is streamed records the time of its first chunk, and its tokens", async () => {
    const trace = "0af7651916cd43dd8448eb211c80319d";
    const messages = [{ role: "user", content: "hello" }];
    const answer = await post("/chat/completions", { model: "svc/chat-1", messages, stream: true }, trace);
    await answer.text();
    const call = await spanOf(trace, "chat svc/chat-1");
    expect(call.attributes["gen_ai.usage.output_tokens"]).toBeGreaterThan(0);
    await collector.until(({ metrics }) => metrics.has("gen_ai.client.operation.time_to_first_chunk"));
  });

  it("of an unknown model is a request with its error's code, and nothing below it", async () => {
    const trace = "0af7651916cd43dd8448eb211c80319e";
    await post("/chat/completions", { model: "svc/none", messages: [] }, trace);
    const request = await spanOf(trace, "POST /v1/chat/completions");
    expect(request.failure).toBeUndefined();
    expect(request.attributes).toMatchObject({
      "http.response.status_code": 404,
      "gatehouse.error.code": "model_not_found",
    });
    expect(request.events).toEqual([]);
    expect(collector.spans.filter(({ traceId }) => traceId === trace)).toHaveLength(1);
  });
});

describe("a prediction", () => {
  it("is one trace through its job, its outputs and its end to the receiver, also when the process was killed", async () => {
    const trace = "0af7651916cd43dd8448eb211c80319f";
    scene.receiver.answer((_received, response) => response.writeHead(204).end());
    const answer = await post(
      "/videos",
      { model: "svc/vid-t2v", prompt: "a lighthouse", duration: 2 },
      trace,
    );
    const { id } = (await answer.json()) as { id: string };
    const request = await spanOf(trace, "POST /v1/videos");
    await spanOf(trace, "start video-generation svc/vid-t2v");
    await stop();
    const again = await scene.start();
    stop = async () => {
      again.kill("SIGKILL");
      await once(again, "exit");
    };
    const delivery = await scene.receiver.next(({ body }) => body.includes(id));
    const attempt = await spanOf(trace, "deliver webhook");
    expect(delivery.headers.traceparent).toBe(`00-${trace}-${attempt.spanId}-01`);
    const settled = await spanOf(trace, "settle");
    expect(attempt).toMatchObject({ kind: 4, parentSpanId: settled.spanId });
    const job = await spanOf(trace, "video-generation svc/vid-t2v");
    expect(job).toMatchObject({ kind: 3, parentSpanId: request.spanId, failure: undefined });
    expect(job.attributes).toMatchObject({ "gatehouse.run.id": id, "gen_ai.output.type": "video" });
    expect(job.events).toEqual(
      expect.arrayContaining(["accepted", "provider_accepted", "polled", "succeeded"]),
    );
    expect(job.endMs).toBeGreaterThan(job.startMs);
    expect((await spanOf(trace, "store outputs")).parentSpanId).toBe(request.spanId);
  });

  it("whose receiver fails is linked from the traces of the later attempts", async () => {
    const trace = "0af7651916cd43dd8448eb211c8031a0";
    let refused = false;
    scene.receiver.answer((_received, response) => {
      response.writeHead(refused ? 204 : 503).end();
      refused = true;
    });
    const picture = { model: "svc/img-gen-b", prompt: "a lighthouse", quality: "low" };
    await post("/images/generations", { ...picture, size: "1024x1024", output_format: "jpeg" }, trace);
    const first = await spanOf(trace, "deliver webhook");
    expect(first.failure).toBe("http_5xx");
    const settled = await spanOf(trace, "settle");
    const later = await collector.until(({ spans }) =>
      spans.find(({ links }) => links.includes(settled.spanId)),
    );
    expect(later.traceId).not.toBe(trace);
    expect(later.attributes["gatehouse.delivery.attempt"]).toBe(2);
  });
});

it.each([
  [
    "a response in the background",
    ...(["0af7651916cd43dd8448eb211c8031b0", "/responses", "response.completed"] as const),
    { model: "svc/chat-1", input: "hello", background: true },
  ],
  [
    "each row of a batch",
    ...(["0af7651916cd43dd8448eb211c8031b1", "/batches", "batch.finished"] as const),
    { model: "svc/chat-1", rows: [{ prompt: "one" }, { prompt: "two" }] },
  ],
])(
  "%s is in the trace of its caller, and its event carries the caller's tracestate",
  async (_name, trace, path, event, body) => {
    const tracestate = "vendor=one,other=two";
    scene.receiver.answer((_received, response) => response.writeHead(204).end());
    const url = `${scene.receiver.url}/${event}`;
    await scene.call(session, "POST", "/webhooks/endpoints", { url, events: [event] });
    expect((await post(path, body, trace, { tracestate })).ok).toBe(true);
    const request = await spanOf(trace, `POST /v1${path}`);
    await collector.until(({ spans }) => {
      const calls = spans.filter(({ traceId, name }) => traceId === trace && name === "chat svc/chat-1");
      return (
        calls.length === ("rows" in body ? body.rows.length : 1) &&
        calls.every(({ parentSpanId }) => parentSpanId === request.spanId)
      );
    });
    const delivery = await scene.receiver.next((received) => received.path === `/${event}`);
    expect(delivery.headers).toMatchObject({
      tracestate,
      traceparent: expect.stringContaining(`00-${trace}-`),
    });
  },
);

it("exports logs with their trace id, and the metrics of /metrics", async () => {
  await collector.until(({ logs }) =>
    logs.find(({ body, traceId }) => body === "request" && traceId === caller.traceId),
  );
  for (const name of [
    "gen_ai.client.operation.duration",
    "gen_ai.client.token.usage",
    "http.server.request.duration",
    "gatehouse.upstream_tries",
    "gatehouse.predictions_ended",
    "gatehouse.delivery_attempts",
  ])
    await collector.until(({ metrics }) => metrics.has(name));
});

it("records messages if the settings ask for them, but only the presence of media", async () => {
  const other = await startCollector();
  const own = await programScene({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${other.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  });
  const program = await own.start();
  const { session: bearer } = await own.signIn();
  const messages = [{ role: "user", content: [{ type: "text", text: "say hello" }] }];
  await own.call(bearer, "POST", "/chat/completions", { model: "svc/chat-1", messages });
  // Unsent items are sent when the process stops.
  program.kill("SIGTERM");
  const call = await other.until(({ spans }) => spans.find(({ name }) => name === "chat svc/chat-1"));
  expect(JSON.parse(String(call.attributes["gen_ai.input.messages"]))).toEqual([
    { role: "user", parts: [{ type: "text", content: "say hello" }] },
  ]);
  expect(JSON.parse(String(call.attributes["gen_ai.output.messages"]))).toMatchObject([
    { role: "assistant", parts: [{ type: "text" }] },
  ]);
  await own.close();
  await other.close();
});

it("is off without an endpoint, and if OpenTelemetry's own switch is off", () => {
  expect(isTelemetryWanted({})).toBe(false);
  expect(isTelemetryWanted({ OTEL_SERVICE_NAME: "mine" })).toBe(false);
  expect(isTelemetryWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })).toBe(true);
  expect(
    isTelemetryWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: "true" }),
  ).toBe(false);
});
