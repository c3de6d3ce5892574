import { expect, test } from "vitest";
import type { CatalogModel } from "#contract/catalog.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const messages = [{ role: "user", content: "Why is the sky blue?" }];
const failuresToOpen = 5;

const breaking = shared(startOpenAiServer);
const spare = shared(startOpenAiServer);
const mapped = shared(() =>
  startMappedGateway({
    providers: { breaking: providerAt(breaking), spare: providerAt(spare) },
    routes: [
      { models: ["svc/chat-1", "svc/chat-2"], provider: "breaking", upstream_model: "main" },
      { models: ["svc/chat-1", "svc/chat-2"], provider: "spare", upstream_model: "spare", priority: 1 },
    ],
  }),
);

const stream = (model: string) => mapped.post("/chat/completions", { model, messages, stream: true });

async function logged(requestId: string | null): Promise<Record<string, unknown> | undefined> {
  const { body } = await call(mapped.gateway, mapped.account.key, "GET", "/requests?limit=100");
  return (body.data as Record<string, unknown>[]).find(({ id }) => id === requestId);
}

test("the request log shows how a stream ended and its usage", async () => {
  breaking.streamEnd = "cut";
  const broken = await stream("svc/chat-1");
  breaking.streamEnd = "done";
  const whole = await stream("svc/chat-1");
  expect([broken.status, whole.status]).toEqual([200, 200]);
  await expect
    .poll(() => logged(broken.headers.get("x-request-id")))
    .toMatchObject({
      status: 502,
      code: "upstream_stream_interrupted",
      usage: { unit: "token", quantity: expect.any(Number) },
    });
  await expect
    .poll(() => logged(whole.headers.get("x-request-id")))
    .toMatchObject({ status: 200, code: null, usage: { unit: "token", quantity: 17 } });
});

test("streams that break in the middle open the breaker of their upstream alone, as another one answers", async () => {
  breaking.streamEnd = "reset";
  for (let times = 0; times < failuresToOpen; times += 1) await stream("svc/chat-1");
  expect(breaking.seen.length).toBeGreaterThanOrEqual(failuresToOpen);
  const { body } = await call(mapped.gateway, null, "GET", "/models/svc/chat-1");
  expect((body as unknown as CatalogModel).healthy_regions).toContain("us-virginia");
  // The broken upstream is tried last.
  const asked = breaking.seen.length;
  const answer = await stream("svc/chat-2");
  expect(String(answer.body.text)).toContain("[DONE]");
  expect([breaking.seen.length - asked, spare.seen.length]).toEqual([0, 1]);
});
