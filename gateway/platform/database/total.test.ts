import { beforeAll, describe, expect, it, vi } from "vitest";
import { routes } from "#contract/routes/table.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { fillLists } from "#gateway/testing/full-lists.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const rows = 25_000;

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
beforeAll(async () => {
  await fillLists(gateway.context.database.pool, account.accountId, rows);
}, 120_000);

const ask = (path: string) => call(gateway, account.session, "GET", path);
/** A total that takes too long on a busy machine is left out, so the list is read until it has one. */
const counted = (path: string, bearer = account.session) =>
  vi.waitFor(async () => {
    const answer = await call(gateway, bearer, "GET", path);
    expect(answer.body.total, `${path}: ${JSON.stringify(answer.body).slice(0, 200)}`).toBeTruthy();
    return answer;
  });
const totalOf = async (path: string) =>
  (await counted(`${path}${path.includes("?") ? "&" : "?"}count=true&limit=1`)).body.total;

describe("the total of a list", () => {
  it("is in every list that accepts `count`, and only when requested", async () => {
    const endpoint = await call(gateway, account.session, "POST", "/webhooks/endpoints", {
      url: "https://example.com/",
    });
    const counting = Object.entries(routes).flatMap(([name, route]) => {
      const query = "query" in route ? (route.query as { properties?: object }) : {};
      return "count" in (query.properties ?? {}) ? [name.replace("GET ", "")] : [];
    });
    expect(counting.length).toBeGreaterThan(15);
    await call(gateway, account.session, "POST", `/webhooks/endpoints/${endpoint.body.id}/test`, {});
    const claimed = { name: "CI", issuer: "https://ci.example.com", claims: { sub: "job" } };
    const rule = await call(gateway, account.session, "POST", "/key_rules", claimed);
    const firstOf = async (path: string) =>
      ((await ask(`${path}?limit=1`)).body.data as { id: string }[])[0]?.id ?? "";
    const [prediction, delivery] = [await firstOf("/predictions"), await firstOf("/webhooks/deliveries")];
    for (const pattern of counting) {
      const path = pattern
        .replace("/predictions/{id}", `/predictions/${prediction}`)
        .replace("/key_rules/{id}", `/key_rules/${rule.body.id}`)
        .replace("/deliveries/{id}", `/deliveries/${delivery}`)
        .replace("/outputs/{id}", "/outputs/out_01k00000000000000000000001")
        .replace("/accounts/{id}", `/accounts/${account.accountId}`)
        .replace("{id}", String(endpoint.body.id));
      expect((await ask(path)).body, path).not.toHaveProperty("total");
      expect((await counted(`${path}?count=true&limit=1`)).status, path).toBe(200);
    }
  });

  it("is exact up to ten thousand, and marked as a minimum above", async () => {
    expect(await totalOf("/predictions")).toEqual({ count: 10_000, more: true });
    expect(await totalOf("/predictions?status=failed")).toEqual({ count: rows / 10 - 4, more: false });
    expect(await totalOf("/predictions?model=svc/rare")).toEqual({ count: 40, more: false });
    expect(await totalOf("/requests?status=429")).toEqual({ count: 40, more: false });
    expect(await totalOf("/uploads?kind=video")).toEqual({ count: 40, more: false });
    expect(await totalOf("/outputs?kind=audio")).toEqual({ count: 40, more: false });
    expect(await totalOf("/audit_logs?action=account.created")).toEqual({ count: 41, more: false });
  });

  it("is the same on every page of the list", async () => {
    const { body } = await ask("/predictions?model=svc/rare&limit=10");
    const next = await counted(`/predictions?model=svc/rare&limit=10&count=true&after=${body.last_id}`);
    expect(next.body).toMatchObject({ has_more: true, total: { count: 40, more: false } });
    expect(next.body.data).toHaveLength(10);
  });

  it("does not count rows of another account", async () => {
    const other = await gateway.createAccount();
    const { body } = await counted("/predictions?count=true", other.session);
    expect(body.total).toEqual({ count: 0, more: false });
  });
});
