import type { ServerResponse } from "node:http";
import { beforeEach, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { keyIn, providerAt, startMappedGateway } from "./testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "./testing/upstream-server.ts";

const messages = [{ role: "user", content: "Why is the sky blue?" }];
const everyMs = 50;
const hugeBytes = 2_000_000_000;

let answer: (response: ServerResponse, path: string) => void;
const upstream = shared(() => startUpstream(({ path }, response) => answer(response, path)));
const mapped = shared(() =>
  startMappedGateway({
    providers: {
      main: providerAt(upstream, {
        credentials: keyIn("us-virginia", "sg-singapore"),
        timeouts_ms: { answer: 3_000, whole: 3_500, stream: 3_500 },
      }),
    },
    routes: [
      { models: ["svc/chat-1", "svc/tts-b-2", "svc/img-gen-a-1"], provider: "main", upstream_model: "some" },
    ],
  }),
);
beforeEach(() => {
  upstream.seen.length = 0;
});

/** Sends a little at a time and never ends. */
function drip(response: ServerResponse, contentType: string, text: string): void {
  response.writeHead(200, { "content-type": contentType });
  const timer = setInterval(() => response.write(text), everyMs);
  response.once("close", () => clearInterval(timer));
}

/** Announces two gigabytes and sends none of them. */
function announce(response: ServerResponse, contentType: string): void {
  response.writeHead(200, { "content-type": contentType, "content-length": hugeBytes });
  response.flushHeaders();
}

it.each([
  ["/chat/completions", { model: "svc/chat-1", messages }, "application/json", " "],
  ["/audio/speech", { model: "svc/tts-b-2", input: "Good evening.", voice: "alloy" }, "audio/wav", "a"],
])("%s: an answer that drips for ever is cut off", async (path, body, contentType, text) => {
  answer = (response) => drip(response, contentType, text);
  const { status, body: said } = await mapped.post(path, body);
  expect([status, said]).toMatchObject([504, { error: { code: "upstream_timeout" } }]);
  await upstream.seen[0]?.gone;
});

it("a stream that drips for ever is cut off, and reports that at its end", async () => {
  const chunk = JSON.stringify({ choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] });
  answer = (response) => drip(response, "text/event-stream", `data: ${chunk}\n\n`);
  const { body } = await mapped.post("/chat/completions", { model: "svc/chat-1", messages, stream: true });
  expect(body.text).toContain("word ");
  expect(body.text).toContain('"code":"upstream_stream_interrupted"');
  await upstream.seen[0]?.gone;
});

it.each([
  ["/chat/completions", { model: "svc/chat-1", messages }],
  ["/audio/speech", { model: "svc/tts-b-2", input: "Good evening.", voice: "alloy" }],
])("%s: an answer that announces two gigabytes is refused before they arrive", async (path, body) => {
  answer = (response) => announce(response, "application/json");
  const { status, body: said } = await mapped.post(path, body);
  expect([status, said]).toMatchObject([502, { error: { code: "upstream_invalid_response" } }]);
  await upstream.seen[0]?.gone;
});

it("an output that announces two gigabytes is refused before they arrive", async () => {
  answer = (response, path) =>
    path.endsWith(".png")
      ? announce(response, "image/png")
      : sendJson(response, { created: 1, data: [{ url: `${upstream.origin}/huge.png` }] });
  const { status, body } = await mapped.post("/images/generations", {
    model: "svc/img-gen-a-1",
    prompt: "A lighthouse",
  });
  expect([status, body]).toMatchObject([502, { error: { code: "upstream_invalid_response" } }]);
  expect(JSON.stringify(body)).toContain("too large");
});
