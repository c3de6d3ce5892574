import { afterAll, expect, it, vi } from "vitest";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

let release = () => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});
const promptOf = (body: Record<string, unknown>) =>
  (body.messages as { content: string }[])[0]?.content ?? "";

const upstream = shared(() =>
  startUpstream(async (seen, response) => {
    if (promptOf(seen.json()) === "held") await released;
    const message = { role: "assistant", content: "Done." };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    sendJson(response, { id: "chat", choices: [{ index: 0, message, finish_reason: "stop" }], usage });
  }),
);
const mapped = shared(() =>
  startMappedGateway({
    providers: { main: providerAt(upstream) },
    routes: [{ models: ["svc/chat-1"], provider: "main", upstream_model: "upstream" }],
  }),
);
afterAll(() => release());

it("two long batches delay neither each other nor other people's single runs and short batches", async () => {
  const { gateway } = mapped;
  const held = Array.from({ length: 60 }, () => ({ prompt: "held" }));
  const batch = { model: "svc/chat-1", rows: held, concurrency: 20 };
  const owners = [await gateway.createAccount(), await gateway.createAccount()];
  const started: string[] = [];
  for (const { key } of owners)
    started.push(String((await call(gateway, key, "POST", "/batches", batch)).body.id));
  const running = async () =>
    Promise.all(
      owners.map(async ({ key }, index) => {
        const { body } = await call(gateway, key, "GET", `/batches/${started[index]}`);
        return (body.counts as { running: number }).running;
      }),
    );
  await vi.waitFor(async () => expect(Math.min(...(await running()))).toBeGreaterThan(5));

  const messages = [{ role: "user", content: "at once" }];
  const single = await mapped.post("/chat/completions", { model: "svc/chat-1", messages });
  expect(single.status).toBe(200);
  const short = await mapped.post("/batches", { model: "svc/chat-1", rows: [{ prompt: "at once" }] });
  await vi.waitFor(async () => {
    const { body } = await call(gateway, mapped.account.key, "GET", `/batches/${short.body.id}`);
    expect(body).toMatchObject({ status: "finished", counts: { succeeded: 1 } });
  });
  // The test no longer needs these rows.
  for (const [index, { key }] of owners.entries())
    await call(gateway, key, "POST", `/batches/${started[index]}/stop`);
  release();
});
