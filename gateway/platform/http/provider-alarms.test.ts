import { expect, it, vi } from "vitest";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";

const upstream = shared(startOpenAiServer);
const mapped = shared(() =>
  startMappedGateway(
    {
      providers: { ill: providerAt(upstream) },
      routes: [{ models: ["svc/chat-1"], provider: "ill", upstream_model: "made" }],
    },
    { metricsToken: "only-for-the-operator" },
  ),
);

const metrics = async () => {
  const headers = { authorization: "Bearer only-for-the-operator" };
  return (await fetch(mapped.gateway.url.replace("/v1", "/metrics"), { headers })).text();
};

it("an upstream that answers only 500 shows an open breaker and refused requests, which were 0 before", async () => {
  const before = await metrics();
  expect(before).toContain('gatehouse_open_breakers{provider="ill"} 0');
  expect(before).toContain('gatehouse_upstream_tries_total{provider="ill",result="upstream_error"} 0');
  expect(before).toContain('gatehouse_skipped_events_total{provider="ill"} 0');
  const refused = /^gatehouse_request_errors_total\{code="no_healthy_region"\} (\d+)$/m;
  const [, refusedBefore = ""] = refused.exec(before) ?? [];
  upstream.trouble(/chat/, { status: 500 }, 1_000);
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
  await vi.waitFor(async () => {
    const { body } = await mapped.post("/chat/completions", chat);
    expect(body).toMatchObject({ error: { code: "no_healthy_region" } });
  });
  await vi.waitFor(async () => {
    const text = await metrics();
    expect(text).toContain('gatehouse_open_breakers{provider="ill"} 1');
    expect(Number(refused.exec(text)?.[1])).toBeGreaterThan(Number(refusedBefore));
  });
});
