import type { FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { newId } from "#contract/ids.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { callTool } from "#gateway/testing/agent.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { loggedFailure } from "./logged-failure.ts";

const upstream = shared(() =>
  startUpstream((_seen, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Hi" } }] })}\n\n`);
  }),
);
const mapped = shared(() =>
  startMappedGateway(
    {
      providers: { acme: providerAt(upstream) },
      routes: [{ models: ["svc/chat-1"], provider: "acme", upstream_model: "m" }],
    },
    { role: "api" },
  ),
);

/** The newest request of the log with this code. */
async function logged(code: string): Promise<Record<string, unknown> | undefined> {
  const { body } = await call(
    mapped.gateway,
    mapped.account.session,
    "GET",
    `/requests?code=${code}&limit=1`,
  );
  return (body.data as Record<string, unknown>[])[0];
}

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
const chatRow = { wanted_model: "svc/chat-1", model: null };

// `rules.test.ts` asks every entrance that runs a model.
const refusals: [string, [string, object], string, object][] = [
  [
    "a parameter",
    ["POST /chat/completions", { ...chat, temperature: 9 }],
    "invalid_parameter",
    { message: "temperature must be at most 2", param: "temperature", ...chatRow },
  ],
  [
    "a missing parameter",
    ["POST /chat/completions", { model: "svc/chat-1" }],
    "missing_parameter",
    { message: "messages is required", param: "messages", ...chatRow },
  ],
  [
    "a region",
    ["POST /chat/completions", { ...chat, region: "mars" }],
    "region_not_available",
    { message: expect.stringMatching(/^region must be one of/), param: "region", ...chatRow },
  ],
  [
    "a message of Anthropic's form",
    ["POST /messages", { ...chat, max_tokens: 0 }],
    "invalid_parameter",
    { route: "/v1/messages", message: "max_tokens must be at least 1", param: "max_tokens", ...chatRow },
  ],
  [
    "a file in OpenAI's form",
    ["POST /files", {}],
    "unsupported_media_type",
    { message: expect.stringMatching(/multipart/i), wanted_model: null },
  ],
  [
    "a batch",
    ["POST /batches", { model: "svc/chat-1", api_type: "chat-completions", rows: [{ messages: 1 }] }],
    "invalid_parameter",
    { message: expect.stringMatching(/^Row 1: messages must be a list/), ...chatRow },
  ],
  [
    "a broken stream",
    ["POST /chat/completions", { ...chat, stream: true }],
    "upstream_stream_interrupted",
    { status: 502, message: expect.any(String), model: "svc/chat-1", wanted_model: null },
  ],
];

it.each(refusals)("the log says why %s failed", async (_name, [route, body], code, row) => {
  const [method = "", path = ""] = route.split(" ");
  await call(mapped.gateway, mapped.account.key, method, path, body);
  await expect.poll(() => logged(code)).toMatchObject({ code, ...row });
});

it("the log says why a tool of an agent failed, and that of a call has no message", async () => {
  const { gateway, account } = mapped;
  await callTool(gateway, account.key, "run", { model: "svc/chat-1" });
  await expect
    .poll(() => logged("invalid_parameter"))
    .toMatchObject({ route: "/mcp", message: "input is required", ...chatRow });
  const { body } = await call(gateway, account.session, "GET", "/requests?status=200&limit=1");
  expect((body.data as object[])[0]).toMatchObject({ message: null, param: null, wanted_model: null });
});

it("the list of a model has what ran on it and what only wanted it, page by page in both directions", async () => {
  const list = async (more: string) => {
    const path = `/requests?model=svc%2Fchat-1${more}`;
    const { body } = await call(mapped.gateway, mapped.account.session, "GET", path);
    return body as { data: { id: string; model: string | null }[]; total?: { count: number } };
  };
  const { data, total } = await list("&limit=100&count=true");
  const ids = data.map(({ id }) => id);
  expect(new Set(data.map(({ model }) => model))).toEqual(new Set([null, "svc/chat-1"]));
  expect(total).toMatchObject({ count: ids.length });
  expect(ids).toEqual(ids.toSorted().toReversed());
  for (const [at, id] of ids.entries()) {
    expect((await list(`&limit=2&after=${id}`)).data.map(({ id }) => id)).toEqual(ids.slice(at + 1, at + 3));
    const before = (await list(`&limit=2&before=${id}`)).data.map(({ id }) => id);
    expect(before).toEqual(ids.slice(Math.max(0, at - 2), at));
  }
});

it("characters that the database cannot store do not stop the log", async () => {
  await call(mapped.gateway, mapped.account.key, "POST", "/embeddings", {
    model: "no\0thing\ud800",
    input: "a",
  });
  await call(mapped.gateway, mapped.account.key, "POST", "/rerank", { model: "svc/none" });
  await expect.poll(() => logged("model_not_found")).toMatchObject({ wanted_model: "svc/none" });
});

/** What is kept of an error with this sentence, for a request with this body. */
function kept(message: string, body: unknown = {}, more: object = {}, param: string | null = null) {
  const request = {
    ...{ failure: invalidParameter(param, message), headers: {}, body, params: {}, query: {} },
    ...{ operationAsked: undefined, operationSchema: null, operationModel: null, routeOptions: {} },
    ...more,
  };
  return loggedFailure(request as unknown as FastifyRequest);
}

const accountKey = `svc_live_0123456789_${"aB3".repeat(17)}`.slice(0, 69);

it.each([
  ["a key of the gateway", `There is no model ${accountKey}. GET /v1/models lists them.`],
  ["a key of OpenAI", "There is no model sk-proj-planted_words. GET /v1/models lists them."],
  ["a key of Google", "There is no model AIzaSyA-planted4Kf9_xQ2mW7tR0bN5vC8zL1jH3.", {}, {}, /planted|AIza/],
  ["a key with slashes", "There is no model whsec_planted0/aB3planted/x9Q+planted=."],
  [
    "a secret with slashes",
    "The value wJ4/planted9X/bT3zQ8/mR5kV2w7/Yh6D1 was refused.",
    {},
    {},
    /planted|bT3z/,
  ],
  ["a hash", `models[0] is "planted${"0a".repeat(16)}", which is not a model.`],
  ["a bearer", "The header is Bearer planted."],
  ["a user and a query", "https://user:planted@example.com/a?token=planted#planted could not be read."],
  ["a field by its name", "Refused: planted.", { connection: { credentials: [{ key: "planted" }] } }],
  ["a long field", `Refused: ${"planted ".repeat(400)}`, { password: "planted ".repeat(400) }],
  ["a list of secrets", "Refused: planted.", { secrets: ["other", "planted"] }],
  [
    "a field that the model marks",
    "Refused: planted.",
    { input: { pin: "planted" } },
    {
      operationSchema: { properties: { pin: { type: "string", writeOnly: true } } },
    },
  ],
  [
    "a field that the route marks",
    "Refused: planted.",
    { pin: "planted" },
    {
      routeOptions: { schema: { body: { properties: { pin: { format: "password" } } } } },
    },
  ],
  ["the caller's own key", "There is no planted.", {}, { headers: { authorization: "Bearer planted" } }],
] as [string, string, unknown?, object?, RegExp?][])(
  "a secret never lands in the log: %s",
  (_name, message, body, more, never = /planted|svc_live/) => {
    const text = JSON.stringify(kept(message, body, more, message));
    expect(text).not.toMatch(never);
    expect(text).toMatch(/hidden|example\.com/);
  },
);

it.each([
  "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8",
  "Qwen/Qwen3-235B-A22B-Instruct-2507-FP8-Throughput",
  "anthropic/claude-sonnet-4-5-20250929",
  "svc/vid-t2v",
])("the name of a model stays: %s", (model) => {
  expect(kept(`There is no model ${model}.`, { model })).toMatchObject({
    message: `There is no model ${model}.`,
    model,
  });
});

it("ids and the words of a message stay", () => {
  const message = `There is no prediction ${newId("prediction")}. api_type must be one of chat-completions, text-to-speech.`;
  expect(kept(message)?.message).toBe(message);
});

it("a value of the caller is cut, also one with spaces, and the rest of the sentence stays", () => {
  const model = "a long name ".repeat(100);
  const row = kept(`There is no model ${model}. GET /v1/models lists them.`, { model });
  expect(row?.message).toBe(`There is no model ${model.slice(0, 199)}…. GET /v1/models lists them.`);
  expect(row?.model).toHaveLength(200);
  expect(kept(`No ${"x/".repeat(900)} here`)?.message).toHaveLength("No  here".length + 200);
  expect(kept("word ".repeat(399))?.message).toHaveLength(1_000);
});

it("of a large body, only the first 2,000 values are looked at", () => {
  let looks = 0;
  const item = {
    get b() {
      looks += 1;
      return "c".repeat(300);
    },
  };
  kept("There is no model a.", { items: Array.from({ length: 250_000 }, () => ["a", item]) });
  expect(looks).toBeLessThan(2_000);
});
