import { once } from "node:events";
import { SpanKind } from "@opentelemetry/api";
import { beforeAll, expect, it } from "vitest";
import { type CollectedSpan, startCollector } from "#gateway/testing/collector.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { type ProgramScene, programScene } from "#gateway/testing/program-scene.ts";
import { Id } from "./id.ts";
import { otlpSettings, samplerOf } from "./settings.ts";
import { spanStarter } from "./start.ts";

const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const messages = [{ role: "user", content: "häufig: 🗼" }];
let session: string;
let program: Awaited<ReturnType<ProgramScene["start"]>>;

const collector = shared(startCollector);
const scene = shared(() =>
  programScene({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=tests",
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_BLRP_SCHEDULE_DELAY: "50",
    OTEL_METRIC_EXPORT_INTERVAL: "500",
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    WEBHOOK_BACKOFF_BASE_MS: "50",
  }),
);
beforeAll(async () => {
  program = await scene.start();
  ({ session } = await scene.signIn());
});

/** The caller's `tracestate`, which is passed on unchanged. */
const tracestate = "vendor=one,other=two";

async function post(path: string, body: object, traceparent: string): Promise<Response> {
  const bearer = { authorization: `Bearer ${session}`, "content-type": "application/json" };
  const headers = { ...bearer, traceparent, tracestate };
  return fetch(`${scene.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

const spanOf = (trace: string, name: string, more: (span: CollectedSpan) => boolean = () => true) =>
  collector.until(({ spans }) =>
    spans.find((span) => span.traceId === trace && span.name === name && more(span)),
  );

it("a chat is the same tree as with the SDK, with its times, texts and failures", async () => {
  const parent = `00-${caller.traceId}-${caller.spanId}-01`;
  const answer = await post("/chat/completions", { model: "svc/chat-1", messages }, parent);
  const request = await spanOf(caller.traceId, "POST /v1/chat/completions");
  expect(request).toMatchObject({ kind: 2, parentSpanId: caller.spanId, failure: undefined });
  expect(request.attributes).toMatchObject({
    "http.response.status_code": 200,
    "gatehouse.request.id": answer.headers.get("x-request-id"),
  });
  const call = await spanOf(caller.traceId, "chat svc/chat-1");
  expect(call).toMatchObject({ kind: 3, parentSpanId: request.spanId });
  expect(call.attributes).toMatchObject({
    "gen_ai.usage.input_tokens": expect.any(Number),
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.input.messages": expect.stringContaining("häufig: 🗼"),
  });
  expect(Math.abs(Date.now() - call.startMs)).toBeLessThan(60_000);
  expect(call.endMs).toBeGreaterThanOrEqual(call.startMs);
  expect(request.events).toEqual(["admitted"]);
  await post("/chat/completions", { model: "svc/none", messages }, parent);
  const refused = await spanOf(
    caller.traceId,
    "POST /v1/chat/completions",
    ({ attributes }) => attributes["gatehouse.error.code"] === "model_not_found",
  );
  expect(refused).toMatchObject({ failure: undefined, events: [] });
});

it("a trace that its caller does not record is not sent, and its answer is the same", async () => {
  const trace = "0af7651916cd43dd8448eb211c8031aa";
  const answer = await post(
    "/chat/completions",
    { model: "svc/chat-1", messages },
    `00-${trace}-${caller.spanId}-00`,
  );
  expect(answer.status).toBe(200);
  await collector.until(({ logs }) => logs.find(({ traceId }) => traceId === trace));
  expect(collector.spans.filter(({ traceId }) => traceId === trace)).toHaveLength(0);
});

it("a request that is refused at once has its span, and its log line names that span", async () => {
  const trace = "0af7651916cd43dd8448eb211c8031ad";
  const headers = {
    authorization: "Bearer svc_live_unknown",
    traceparent: `00-${trace}-${caller.spanId}-01`,
  };
  const refused = await fetch(`${scene.url}/models`, { headers });
  expect(refused.status).toBe(401);
  await spanOf(trace, "GET /v1/models");
  await collector.until(({ logs }) =>
    logs.find(({ body, traceId }) => body === "request" && traceId === trace),
  );
});

it("metrics are histograms whose buckets add up, and match /metrics", async () => {
  const [point] = await collector.until(({ metrics }) => metrics.get("gen_ai.client.token.usage"));
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1);
  const counts = point?.bucketCounts.map(Number) ?? [];
  expect(counts.reduce((all, count) => all + count, 0)).toBe(Number(point?.count));
  expect(point?.sum).toBeGreaterThan(0);
  await collector.until(({ metrics }) => metrics.has("gatehouse.upstream_tries"));
});

it("a prediction that survives a killed process is one trace from two processes", async () => {
  const trace = "0af7651916cd43dd8448eb211c8031ab";
  scene.receiver.answer((_received, response) => response.writeHead(204).end());
  const asked = { model: "svc/vid-t2v", prompt: "a lighthouse", duration: 2 };
  const answer = await post("/videos", asked, `00-${trace}-${caller.spanId}-01`);
  const { id } = (await answer.json()) as { id: string };
  const request = await spanOf(trace, "POST /v1/videos");
  await spanOf(trace, "start video-generation svc/vid-t2v");
  program.kill("SIGKILL");
  await once(program, "exit");
  program = await scene.start();
  const delivery = await scene.receiver.next(({ body }) => body.includes(id));
  const attempt = await spanOf(trace, "deliver webhook");
  expect(delivery.headers).toMatchObject({ traceparent: `00-${trace}-${attempt.spanId}-01`, tracestate });
  const job = await spanOf(trace, "video-generation svc/vid-t2v");
  expect(job).toMatchObject({ kind: 3, parentSpanId: request.spanId });
  expect(job.events).toEqual(expect.arrayContaining(["accepted", "polled", "succeeded"]));
  expect(collector.text()).toContain("deployment.environment.name");
  expect(collector.text()).toContain("gatehouse");
}, 120_000);

it("waiting items are sent when the process ends, even if the receiver refused them once", async () => {
  const trace = "0af7651916cd43dd8448eb211c8031ac";
  collector.refuseNext("/v1/traces", 503);
  await post("/chat/completions", { model: "svc/chat-1", messages }, `00-${trace}-${caller.spanId}-01`);
  program.kill("SIGTERM");
  await spanOf(trace, "POST /v1/chat/completions");
}, 60_000);

it("the SDK is not needed for the common settings, and only for these", () => {
  const usual = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
    OTEL_EXPORTER_OTLP_HEADERS: "a=b%20c",
  };
  expect(otlpSettings(usual)?.traces).toMatchObject({
    url: "http://collector:4318/v1/traces",
    headers: { a: "b c" },
    batchSize: 512,
  });
  expect(otlpSettings({ ...usual, OTEL_LOGS_EXPORTER: "none" })).toMatchObject({ logs: null });
  for (const other of [
    { OTEL_CONFIG_FILE: "otel.yaml" },
    { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://name:secret@collector:4318" },
    { OTEL_TRACES_EXPORTER: "console" },
    { OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" },
    { OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "4" },
    { OTEL_TRACES_SAMPLER: "jaeger_remote" },
    { OTEL_BSP_MAX_QUEUE_SIZE: "many" },
  ])
    expect(otlpSettings({ ...usual, ...other })).toBeNull();
});

it("a trace that is not recorded can be looked up only if a caller began it", () => {
  const never = spanStarter(
    () => false,
    () => expect.unreachable(),
  );
  const own = never("request", SpanKind.SERVER, undefined);
  expect(own).toMatchObject({ isRecorded: false, isUnknown: true });
  expect(never("chat", SpanKind.CLIENT, own)).toBe(own);
  const asked = never("request", SpanKind.SERVER, { ...caller, traceFlags: 0 });
  expect(asked).toMatchObject({ isRecorded: false, isUnknown: false, traceId: caller.traceId });
});

it("a sampler by ratio selects its share of traces, and always the same ones", () => {
  const ids = Array.from({ length: 2_000 }, () => Id.of(crypto.randomUUID().replaceAll("-", "")));
  const taken = () => ids.filter((id) => samplerOf("traceidratio", "0.1")?.(undefined, id));
  expect(taken().length / ids.length).toBeGreaterThan(0.05);
  expect(taken().length / ids.length).toBeLessThan(0.15);
  expect(taken()).toEqual(taken());
});
