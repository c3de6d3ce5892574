import { afterAll, beforeAll, expect, test } from "vitest";
import { type MappedGateway, startMappedGateway } from "#gateway/providers/testing/mapped-gateway.ts";
import { startUpstream, type UpstreamServer } from "#gateway/providers/testing/upstream-server.ts";
import { call } from "#gateway/testing/gateway.ts";

/** Where the provider of each rule for streams that end early runs. */
const places = {
  counted: { model: "svc/chat-1", region: "us-virginia" },
  reported: { model: "svc/chat-1", region: "us-oregon" },
  nothing: { model: "svc/chat-2", region: "us-virginia" },
} as const;
type Rule = keyof typeof places;
const components = [
  { kind: "input_token", per: 1_000, rate: "1" },
  { kind: "output_token", per: 1_000, rate: "2" },
];
const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };

let upstream: UpstreamServer;
let mapped: MappedGateway;
beforeAll(async () => {
  // It breaks in the middle of an answer, after it said what was used if it is asked so.
  upstream = await startUpstream((seen, response) => {
    const { messages } = seen.json() as { messages: { content: string }[] };
    const chunk = { choices: [{ index: 0, delta: { content: "The sky is" } }] };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    if (messages[0]?.content === "told")
      response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
    response.end();
  });
  const rules = Object.keys(places) as Rule[];
  const provider = (rule: Rule) => ({
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    credentials: { [places[rule].region]: { env: "TEST_UPSTREAM_KEY" } },
    ...(rule !== "counted" && { cut_streams: rule }),
  });
  mapped = await startMappedGateway({
    providers: Object.fromEntries(rules.map((rule) => [rule, provider(rule)])),
    routes: rules.map((rule) => ({
      models: [places[rule].model],
      regions: [places[rule].region],
      provider: rule,
      upstream_model: "m",
    })),
  });
  for (const model of ["svc/chat-1", "svc/chat-2"]) {
    const price = { model, api_type: "chat-completions", currency: "USD", components };
    expect(
      (await call(mapped.gateway, mapped.account.session, "POST", "/operator/prices", price)).status,
    ).toBe(201);
  }
});
afterAll(async () => {
  await mapped.close();
  await upstream.close();
});

/** What a stream cost that broke after a few words. */
async function costOf(rule: Rule, content: "told" | "silent"): Promise<{ amount: string } | undefined> {
  const body = { ...places[rule], messages: [{ role: "user", content }], stream: true };
  const { headers } = await mapped.post("/chat/completions", body);
  const id = headers.get("x-request-id");
  let found: Record<string, unknown> | undefined;
  await expect
    .poll(async () => {
      const { body } = await call(mapped.gateway, mapped.account.key, "GET", "/requests?limit=100");
      found = (body.data as Record<string, unknown>[]).find((row) => row.id === id);
      return found?.status;
    })
    .toBe(502);
  return found?.cost as { amount: string };
}

test("a stream that broke costs what its provider's rule says", async () => {
  const reported = { amount: "1.2", currency: "USD" };
  const nothing = { amount: "0", reason: "nothing_billed" };
  expect(await costOf("counted", "told")).toMatchObject(reported);
  expect(await costOf("reported", "told")).toMatchObject(reported);
  expect(await costOf("nothing", "told")).toMatchObject(nothing);
  expect(Number((await costOf("counted", "silent"))?.amount)).toBeGreaterThan(0);
  expect(await costOf("reported", "silent")).toMatchObject(nothing);
  expect(await costOf("nothing", "silent")).toMatchObject(nothing);
});
