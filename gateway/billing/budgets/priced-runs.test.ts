import { beforeAll, expect, it } from "vitest";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

// The body has more bytes than this, and as always one token per byte is reserved.
const usage = { prompt_tokens: 60, completion_tokens: 10, total_tokens: 70 };
const order = { model: "svc/chat-1", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] };
/** With these prices each answer costs 0.07. */
const components = [
  { kind: "input_token", per: 1_000, rate: "1" },
  { kind: "output_token", per: 1_000, rate: "1" },
];

const upstream = shared(() =>
  startUpstream((seen, response) => {
    if (seen.body.includes("broken")) return sendJson(response, { error: { message: "no" } }, 500);
    sendJson(response, {
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } }],
      usage,
    });
  }),
);
const mapped = shared(() =>
  startMappedGateway({
    providers: {
      acme: providerAt(upstream),
    },
    routes: [{ models: ["svc/chat-1"], provider: "acme", upstream_model: "m" }],
  }),
);
const price = { model: "svc/chat-1", api_type: "chat-completions", currency: "USD", components };
beforeAll(async () => {
  expect((await owner("POST", "/operator/prices", price)).status).toBe(201);
});

const owner = (method: string, where: string, body?: object) =>
  call(mapped.gateway, mapped.account.session, method, where, body);
const hard = (amount: string) => ({ budgets: [{ amount, period: "total", hard: true }] });
interface State {
  spent: string;
  reserved: string;
  left: string;
}
async function stateOf(keyId: string): Promise<State | undefined> {
  const { body } = await owner("GET", "/keys?limit=100");
  return (body.data as { id: string; budgets: State[] }[]).find(({ id }) => id === keyId)?.budgets[0];
}

it("a hard budget admits only runs that fit, refunds failed runs, and reports the remaining amount", async () => {
  const { body: key } = await owner("POST", "/keys", {
    ...{ name: "spender", max_concurrency: 100, requests_per_minute: 1_000 },
    ...hard("2"),
  });
  const run = (words = "Hello") =>
    call(mapped.gateway, String(key.secret), "POST", "/chat/completions", {
      ...order,
      messages: [{ role: "user", content: words }],
    });
  const answers = await Promise.all(Array.from({ length: 60 }, () => run()));
  const answered = answers.filter(({ status }) => status === 200);
  expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true);
  expect(answered.length).toBeGreaterThan(5);
  for (const { headers } of answered) expect(headers.get("x-svc-cost")).toBe("0.070000 USD");
  const spent = Math.round(answered.length * 7) / 100;
  await expect.poll(() => stateOf(String(key.id))).toMatchObject({ spent: String(spent), reserved: "0" });
  expect(spent).toBeLessThanOrEqual(2);

  await owner("PATCH", `/keys/${String(key.id)}`, hard("0.1"));
  await expect.poll(async () => (await run()).status).toBe(402);
  const { body } = await run();
  expect(body.error).toMatchObject({
    code: "budget_exceeded",
    message: expect.stringContaining("This key has a hard budget of 0.1 USD"),
  });

  // A failed run returns its reservation.
  await owner("PATCH", `/keys/${String(key.id)}`, hard(String(spent + 1)));
  await expect.poll(async () => (await stateOf(String(key.id)))?.left).toBe("1");
  for (let times = 0; times < 3; times += 1) expect((await run("broken")).status).toBeGreaterThanOrEqual(500);
  await expect
    .poll(() => stateOf(String(key.id)))
    .toMatchObject({ spent: String(spent), reserved: "0", left: "1" });
});

it("a compaction under a hard budget has a longest answer, its own or the stated one", async () => {
  const { body: key } = await owner("POST", "/keys", { name: "compacts", ...hard("100") });
  const { body: free } = await owner("POST", "/keys", { name: "without a budget" });
  const longest = async (secret: unknown, more = {}) => {
    const before = upstream.seen.length;
    const body = { model: "svc/chat-1", input: "We launch on Tuesday.", ...more };
    const { status } = await call(mapped.gateway, String(secret), "POST", "/responses/compact", body);
    expect(status).toBe(200);
    return upstream.at(before).json().max_tokens;
  };
  expect(await longest(key.secret)).toBe(8_192);
  expect(await longest(key.secret, { max_output_tokens: 500 })).toBe(500);
  expect(await longest(free.secret)).toBeUndefined();
});
