import type { ServerResponse } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { keyIn, providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

/** A model and region for each rule about streams that end early. */
const places = {
  counted: { model: "svc/chat-1", region: "us-virginia" },
  reported: { model: "svc/chat-1", region: "us-oregon" },
  nothing: { model: "svc/chat-2", region: "us-virginia" },
} as const;
type Rule = keyof typeof places;
/** Speaks Anthropic's protocol, and is billed by the reported usage. */
const anthropicPlace = { model: "svc/chat-2", region: "eu-frankfurt" } as const;
const components = [
  { kind: "input_token", per: 1_000, rate: "1" },
  { kind: "cached_input_token", per: 1_000, rate: "0.1" },
  { kind: "cache_write_token", per: 1_000, rate: "1.25" },
  { kind: "cache_write_1h_token", per: 1_000, rate: "2" },
  { kind: "output_token", per: 1_000, rate: "2" },
];
const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };

// An upstream that breaks in the middle of an answer, after the usage if the request wants it. For "wait"
// it sends nothing more.
const upstream = shared(() =>
  startUpstream((seen, response) => {
    if (seen.path.endsWith("/messages")) return beginMessage(response);
    const { messages } = seen.json() as { messages: { content: unknown }[] };
    const chunk = { choices: [{ index: 0, delta: { content: "The sky is" } }] };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    const content = JSON.stringify(messages[0]?.content);
    if (content.includes("wait")) return;
    if (content.includes("told")) response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
    response.end();
  }),
);
const rules = Object.keys(places) as Rule[];
const provider = (rule: Rule) =>
  providerAt(upstream, {
    credentials: keyIn(places[rule].region),
    ...(rule !== "counted" && { cut_streams: rule }),
  });
const mapped = shared(() =>
  startMappedGateway({
    providers: {
      ...Object.fromEntries(rules.map((rule) => [rule, provider(rule)])),
      anthropic: providerAt(upstream, { protocol: "anthropic", credentials: keyIn(anthropicPlace.region) }),
    },
    routes: [
      ...rules.map((rule) => ({ ...routeTo(places[rule]), provider: rule })),
      { ...routeTo(anthropicPlace), provider: "anthropic" },
    ],
  }),
);
beforeAll(async () => {
  for (const model of ["svc/chat-1", "svc/chat-2"]) {
    const price = { model, api_type: "chat-completions", currency: "USD", components };
    expect(
      (await call(mapped.gateway, mapped.account.session, "POST", "/operator/prices", price)).status,
    ).toBe(201);
  }
});

function routeTo({ model, region }: { model: string; region: string }) {
  return { models: [model], regions: [region], upstream_model: "m" };
}

function beginMessage(response: ServerResponse): void {
  const cache = { cache_read_input_tokens: 900, cache_creation_input_tokens: 50 };
  const lifetimes = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 };
  const usage = { input_tokens: 100, output_tokens: 1, ...cache, cache_creation: lifetimes };
  const events = [
    { type: "message_start", message: { id: "msg_1", role: "assistant", content: [], usage } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "The sky is" } },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

interface Logged {
  id: string;
  status: number;
  run_id: string;
  cost: { amount: string } | null;
}

/** The logged request, as soon as it is in the log. */
async function logged(id: string | null): Promise<Logged> {
  let found: Logged | undefined;
  await expect
    .poll(async () => {
      const { body } = await call(mapped.gateway, mapped.account.key, "GET", "/requests?limit=100");
      found = (body.data as unknown as Logged[]).find((row) => row.id === id);
      return found !== undefined;
    })
    .toBe(true);
  return found as Logged;
}

/** The cost of a stream that broke after a few words. */
async function costOf(
  place: { model: string; region: string },
  content: "told" | "silent",
): Promise<{ amount: string } | null> {
  const body = { ...place, messages: [{ role: "user", content }], stream: true };
  const { headers } = await mapped.post("/chat/completions", body);
  const { status, cost } = await logged(headers.get("x-request-id"));
  expect(status).toBe(502);
  return cost;
}

test("a stream that broke is billed by its provider's rule", async () => {
  const reported = { amount: "1.2", currency: "USD" };
  const nothing = { amount: "0", reason: "nothing_billed" };
  expect(await costOf(places.counted, "told")).toMatchObject(reported);
  expect(await costOf(places.reported, "told")).toMatchObject(reported);
  expect(await costOf(places.nothing, "told")).toMatchObject(nothing);
  expect(Number((await costOf(places.counted, "silent"))?.amount)).toBeGreaterThan(0);
  expect(await costOf(places.reported, "silent")).toMatchObject(nothing);
  expect(await costOf(places.nothing, "silent")).toMatchObject(nothing);
});

test("an interrupted Anthropic stream is billed for the input that the upstream counted at its start and the output it sent", async () => {
  // 100 read, 900 from the cache, 20 and 30 written to it, and ten characters.
  expect(await costOf(anthropicPlace, "told")).toMatchObject({ amount: "0.281" });
});

const waiting = [{ role: "user", content: "wait" }];
test.each([
  ["/chat/completions", { messages: waiting }],
  ["/responses", { input: "wait" }],
  ["/messages", { messages: waiting, max_tokens: 100 }],
])("logs the cost of a stream at %s whose client disconnected", async (route, body) => {
  const leave = new AbortController();
  const answer = await fetch(`${mapped.gateway.url}${route}`, {
    method: "POST",
    headers: { authorization: `Bearer ${mapped.account.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...places.counted, ...body, stream: true }),
    signal: leave.signal,
  });
  let said = "";
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    said += Buffer.from(chunk).toString();
    if (said.includes("The sky is")) break;
  }
  leave.abort();
  const { run_id: run, cost } = await logged(answer.headers.get("x-request-id"));
  expect(Number(cost?.amount)).toBeGreaterThan(0);
  const { body: billed } = await call(mapped.gateway, mapped.account.key, "GET", `/runs/${run}/cost`);
  expect(billed.amount).toBe(cost?.amount);
});
