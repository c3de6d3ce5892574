import { beforeAll, describe, expect, it } from "vitest";
import { startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const messages = [{ role: "user", content: "Why is the sky blue?" }];
const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };

let operator: string;
// A server that never sends a finish reason.
const upstream = shared(() =>
  startUpstream((seen, response) => {
    if (seen.method === "GET") return sendJson(response, { data: [{ id: "main" }] });
    const answer = (said: object) => ({ choices: [{ index: 0, ...said }], usage });
    if (seen.json().stream !== true) return sendJson(response, answer({ message: { content: "Blue." } }));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(answer({ delta: { content: "Blue." } }))}\n\ndata: [DONE]\n\n`);
  }),
);
const mapped = shared(() => startMappedGateway({ providers: {}, routes: [] }));
beforeAll(async () => {
  operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
  const provider = {
    name: "plain",
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    allow_private: true,
    credentials: { "us-virginia": {} },
  };
  expect((await call(mapped.gateway, operator, "POST", "/operator/providers", provider)).status).toBe(201);
});

const route = { models: ["svc/chat-1"], provider: "plain", upstream_model: "main" };
async function map(more: object): Promise<Record<string, unknown> | undefined> {
  const routes = [{ ...route, ...more }];
  const { status, body } = await call(mapped.gateway, operator, "PUT", "/operator/routes", { routes });
  expect(status).toBe(200);
  return (body.data as Record<string, unknown>[])[0];
}
const tested = async () =>
  (await call(mapped.gateway, operator, "POST", "/operator/providers/plain/test")).body.message;
const fronts: [string, object][] = [
  ["/chat/completions", { messages }],
  ["/messages", { max_tokens: 100, messages }],
  ["/responses", { input: "Why is the sky blue?" }],
];

describe("a route to a server that never sends a finish reason", () => {
  it("fails by default, and the test of its provider says why", async () => {
    expect(await map({})).toMatchObject({ unfinished_answers: "fail" });
    expect(await tested()).not.toContain("finish reason");
    const { status, body } = await mapped.post("/chat/completions", { model: "svc/chat-1", messages });
    expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining("finish reason")]);
    for (const [path, more] of fronts) {
      const streamed = await mapped.post(path, { model: "svc/chat-1", stream: true, ...more });
      expect(streamed.body.text).toContain("upstream_stream_interrupted");
    }
    expect(await tested()).toContain("Its last chat with svc/chat-1 had no finish reason.");
  });

  it("takes its answers as complete when it accepts them, with a line in the log", async () => {
    expect(await map({ unfinished_answers: "accept" })).toMatchObject({ unfinished_answers: "accept" });
    const exported = await call(mapped.gateway, operator, "GET", "/operator/file");
    expect(JSON.stringify(exported.body)).toContain('"unfinished_answers":"accept"');
    const [whole, streamed] = [
      await mapped.post("/chat/completions", { model: "svc/chat-1", messages }),
      await mapped.post("/chat/completions", { model: "svc/chat-1", messages, stream: true }),
    ];
    expect(whole.body).toMatchObject({ choices: [{ message: { content: "Blue." }, finish_reason: "stop" }] });
    expect(streamed.body.text).toContain('"finish_reason":"stop"');
    expect(streamed.body.text).toContain("data: [DONE]");
    const logged = mapped.gateway.logLines.filter((line) =>
      line.includes("without a finish reason was accepted"),
    );
    expect(logged).toHaveLength(2);
    expect(await tested()).not.toContain("finish reason");
  });

  it("refuses another word", async () => {
    const routes = [{ ...route, unfinished_answers: "stop" }];
    const { status } = await call(mapped.gateway, operator, "PUT", "/operator/routes", { routes });
    expect(status).toBe(400);
  });
});
