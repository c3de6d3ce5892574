import { expect, it, vi } from "vitest";
import type { Route } from "#contract/routes/route.ts";
import { sections } from "#contract/routes/table.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

const ask = (method: string, path: string, body?: unknown) =>
  call(gateway, account.session, method, path, body);
const idsOf = async (path: string) => {
  const { status, body } = await ask("GET", path);
  expect([path, status]).toEqual([path, 200]);
  return (body as { data: { id: string }[] }).data.map(({ id }) => id);
};

it("every paged list can be filtered by creation time", async () => {
  const { body: endpoint } = await ask("POST", "/webhooks/endpoints", {
    url: "https://example.com/hook",
    events: ["prediction.succeeded"],
  });
  await ask("POST", "/uploads", { content_type: "image/png", size_bytes: 10 });
  await ask("POST", "/images/generations", { model: "svc/img-gen-a-1", prompt: "a boat" });
  const [outputId] = await idsOf("/outputs");
  const { body: run } = await ask("POST", "/videos", { model: "svc/vid-t2v", prompt: "a boat" });
  await ask("POST", `/webhooks/endpoints/${endpoint.id}/test`, {});
  const [deliveryId] = await idsOf("/webhooks/deliveries");
  const claimed = { name: "CI", issuer: "https://ci.example.com", claims: { sub: "job" } };
  const { body: rule } = await ask("POST", "/key_rules", claimed);
  const lists = Object.values(sections)
    .flatMap((routes) => Object.entries(routes as Record<string, Route>))
    .filter(([, { query }]) => JSON.stringify(query ?? {}).includes("created_after"))
    .map(([name]) =>
      name
        .replace(/^GET /, "")
        .replace("endpoints/{id}", `endpoints/${endpoint.id}`)
        .replace("predictions/{id}", `predictions/${run.id}`)
        .replace("key_rules/{id}", `key_rules/${rule.id}`)
        .replace("deliveries/{id}", `deliveries/${deliveryId}`)
        .replace("outputs/{id}", `outputs/${outputId}`),
    )
    // The exports use the filter of their list, and are no JSON; a search wants words.
    .filter((path) => !path.startsWith("/operator") && !/\/(export|search)$/.test(path));
  expect(lists.length).toBeGreaterThan(9);
  let filled = 0;
  for (const path of lists) {
    // The test's own requests also appear in the request log, partly at once.
    const all = await vi.waitFor(async () => {
      const now = await idsOf(path);
      expect(await idsOf(`${path}?created_after=2020-01-01T00:00:00Z`), path).toEqual(now);
      return now;
    });
    if (all.length > 0) filled += 1;
    expect(await idsOf(`${path}?created_before=2020-01-01T00:00:00Z`), path).toEqual([]);
  }
  expect(filled).toBeGreaterThan(2);
});
