import { afterEach, describe, expect, it, vi } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { rememberedIds } from "../remembered-ids.ts";
import { newRun, type Run } from "./run.ts";
import { startRun } from "./start-run.ts";

const catalog = createCatalog();

afterEach(() => vi.unstubAllGlobals());

const encoder = new TextEncoder();

function streamOf(
  parts: string[],
  after?: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
) {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
      if (after) after(controller);
      else controller.close();
    },
  });
}

const sse = { "content-type": "text/event-stream; charset=utf-8" };
const piece = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** Runs an operation that gets this answer. Returns its last state and the request. */
async function runAgainst(
  answer: (signal: AbortSignal) => Response | Promise<Response>,
  { model = "svc/chat-1", apiType = "chat-completions", stopAt = -1 } = {},
) {
  const compiled = catalog.operation(model, apiType);
  if (!compiled) throw new Error(`${model} has no ${apiType}`);
  const sent: RequestInit[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    sent.push(init);
    return answer(init.signal as AbortSignal);
  });
  const abort = new AbortController();
  const updates: Run[] = [];
  const last = await startRun({
    operation: compiled.operation,
    run: newRun(compiled.operation.id, { model, stream: true }, "key-1"),
    signal: abort.signal,
    onUpdate(run) {
      updates.push(run);
      if (run.output?.kind === "chat" && run.output.pieces === stopAt) abort.abort();
    },
  });
  return { last, sent, updates };
}

const textOf = (run: Run) => (run.output?.kind === "chat" ? run.output.text : null);

describe("a streamed chat", () => {
  it("grows piece by piece and is complete after its end mark", async () => {
    const { last, sent, updates } = await runAgainst(
      () =>
        new Response(streamOf([piece("Hel"), ": keepalive\n\n", piece("lo"), "data: [DONE]\n\n"]), {
          headers: sse,
        }),
    );
    expect(updates.map(textOf).filter(Boolean)).toEqual(["Hel", "Hello", "Hello"]);
    expect(last).toMatchObject({ state: "succeeded", failure: null });
    expect(last.firstTokenMs).not.toBeNull();
    expect(new Headers(sent[0]?.headers).get("idempotency-key")).toBe("key-1");
  });

  it("asks for its tokens and its cost, and keeps both", async () => {
    const end = {
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
      svc_cost: { amount: "0.0011", currency: "USD", reason: null },
    };
    const { last, sent } = await runAgainst(
      () =>
        new Response(streamOf([piece("Hi"), `data: ${JSON.stringify(end)}\n\n`, "data: [DONE]\n\n"]), {
          headers: sse,
        }),
    );
    expect(JSON.parse(String(sent[0]?.body)).stream_options).toEqual({ include_usage: true });
    expect(last).toMatchObject({ meta: { cost: "0.0011 USD" }, output: { usage: { completion_tokens: 2 } } });
  });

  it("keeps the text when the upstream fails in the middle", async () => {
    const error = { error: { code: "upstream_stream_interrupted", message: "gone", request_id: "req_1" } };
    const { last } = await runAgainst(
      () => new Response(streamOf([piece("Half"), `data: ${JSON.stringify(error)}\n\n`]), { headers: sse }),
    );
    expect(last.state).toBe("failed");
    expect(last.failure).toMatchObject({ code: "upstream_stream_interrupted", requestId: "req_1" });
    expect(textOf(last)).toBe("Half");
  });

  it("does not accept a stream without its end mark as a complete answer", async () => {
    const { last } = await runAgainst(() => new Response(streamOf([piece("Half")]), { headers: sse }));
    expect(last).toMatchObject({ state: "failed", failure: { code: "upstream_stream_interrupted" } });
    expect(textOf(last)).toBe("Half");
  });

  it("keeps the text that arrived before the stop", async () => {
    const { last } = await runAgainst(
      (signal) =>
        new Response(
          streamOf([piece("One "), piece("two")], (controller) =>
            signal.addEventListener("abort", () =>
              controller.error(new DOMException("Stopped", "AbortError")),
            ),
          ),
          { headers: sse },
        ),
      { stopAt: 2 },
    );
    expect(last).toMatchObject({ state: "stopped", failure: null });
    expect(textOf(last)).toBe("One two");
  });

  it("joins the pieces of tool calls", async () => {
    const delta = (call: object) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;
    const { last } = await runAgainst(
      () =>
        new Response(
          streamOf([
            delta({ index: 0, id: "call_1", type: "function", function: { name: "look_up", arguments: "" } }),
            delta({ index: 0, function: { arguments: '{"a":' } }),
            delta({ index: 0, function: { arguments: "1}" } }),
            "data: [DONE]\n\n",
          ]),
          { headers: sse },
        ),
    );
    expect(last.output).toMatchObject({
      toolCalls: [{ id: "call_1", name: "look_up", arguments: '{"a":1}' }],
    });
  });
});

it("reads an error with its Retry-After", async () => {
  const body = { error: { code: "rate_limit_exceeded", message: "Slow down", request_id: "req_1" } };
  const { last } = await runAgainst(() =>
    Response.json(body, { status: 429, headers: { "retry-after": "7" } }),
  );
  expect(last).toMatchObject({
    state: "failed",
    failure: { status: 429, code: "rate_limit_exceeded", retryAfterSeconds: 7 },
  });
});

it("follows an accepted prediction by its id and records the headers", async () => {
  const { last } = await runAgainst(
    () =>
      Response.json(
        { id: "pred_1", status: "starting", poll_url: "http://g/v1/predictions/pred_1" },
        {
          status: 202,
          headers: { "x-svc-sandbox": "true", "x-svc-ignored-params": "a, b", "x-svc-region": "us-virginia" },
        },
      ),
    { model: "svc/vid-t2v", apiType: "video-generation" },
  );
  expect(last).toMatchObject({
    state: "succeeded",
    output: { kind: "prediction", id: "pred_1" },
    meta: { sandbox: true, ignoredParams: ["a", "b"], region: "us-virginia", status: 202 },
  });
  // This gateway cannot list predictions, so the run reads this one by its id.
  expect(rememberedIds("prediction")).toContain("pred_1");
});

it("reads images from URLs and from inline data", async () => {
  const { last } = await runAgainst(
    () =>
      Response.json({
        id: "gen_1",
        data: [{ url: "http://g/a.png", width: 8, height: 4 }, { b64_json: "AAAA" }],
      }),
    { model: "svc/img-gen-a-1", apiType: "image-generation" },
  );
  expect(last.output).toEqual({
    kind: "images",
    images: [
      { url: "http://g/a.png", width: 8, height: 4 },
      { url: "data:image/png;base64,AAAA", width: null, height: null },
    ],
  });
});

it("shows an unknown answer unchanged", async () => {
  const { last } = await runAgainst(() => Response.json({ surprise: true }), {
    model: "svc/img-gen-a-1",
    apiType: "image-generation",
  });
  expect(last).toMatchObject({ state: "succeeded", output: { kind: "other", body: { surprise: true } } });
});

it("reports that the connection was lost", async () => {
  const { last } = await runAgainst(() => Promise.reject(new TypeError("failed")));
  expect(last).toMatchObject({ state: "failed", failure: { code: "offline" } });
});
