import { describe, expect, it } from "vitest";
import type { requestRoute } from "@/lib/server/gateway/request";
import { loadFailureWords } from "@/lib/status/failure-words";
import { english } from "@/scripts/testing/english";
import { findByDescription, findByPair, namesValue } from "./findings.ts";

const said = {
  metadata: english("metadata"),
  webhooks: english("webhooks"),
  failures: await loadFailureWords("en"),
};
const since = { created_after: "2026-11-20T10:00:00Z" };
const row = {
  id: "dlv_1",
  created_at: "2026-11-20T11:00:00Z",
  url: "https://acme.example/hook",
  status: "failed",
};
const endpoints = [{ id: "we_1", description: "Acme", url: "https://hooks.example/1" }];
const cost = { amount: "1.5", currency: "USD", reason: null };

/** A gateway that answers these routes with a failure, and every other one with a row or a sum. */
function gatewayWhere(failing: Record<string, { status: number; code: string; param?: string }>) {
  return (async (route: string) => {
    const error = failing[route];
    if (error) return { ok: false, error };
    if (route === "GET /usage") return { ok: true, data: { total: { cost } } };
    if (route === "GET /usage/metadata")
      return { ok: true, data: { data: [{ key: "customer", value: "acme" }] } };
    if (route === "GET /webhooks/endpoints") return { ok: true, data: { data: endpoints } };
    const rows = route === "GET /webhooks/deliveries" ? [row] : [];
    return { ok: true, data: { data: rows, has_more: false, total: { count: rows.length, more: false } } };
  }) as unknown as typeof requestRoute;
}

const forbidden = { status: 403, code: "insufficient_permissions" };
const broken = { status: 500, code: "internal_error" };
const lists = ["GET /requests", "GET /predictions", "GET /webhooks/deliveries", "GET /webhooks/endpoints"];
const all = (error: typeof broken) => Object.fromEntries(lists.map((route) => [route, error]));
const find = async (failing: Parameters<typeof gatewayWhere>[0]) => {
  const found = await findByPair(said, gatewayWhere(failing), "customer=acme", since, "2026-11-27");
  return {
    ...found,
    labels: found.parts.map(({ label }) => label),
    codes: found.failures.map(({ code }) => code),
  };
};

describe("everything with a pair", () => {
  it("has all lists, the cost, and the endpoints that name the value", async () => {
    const found = await find({});
    expect(found).toMatchObject({
      isReadable: true,
      codes: [],
      labels: ["Requests", "Predictions", "Deliveries"],
    });
    expect(found.cost).toMatchObject({ money: cost });
    expect(found.endpoints).toEqual(endpoints);
    expect(found.parts[2]?.failed).toHaveLength(3);
  });

  it("leaves out a list that the reader may not see, without words", async () => {
    const found = await find({ "GET /webhooks/deliveries": forbidden, "GET /webhooks/endpoints": forbidden });
    expect(found).toMatchObject({ isReadable: true, codes: [], labels: ["Requests", "Predictions"] });
    expect(found.endpoints).toEqual([]);
  });

  it("says once why nothing can be read, and still shows the cost to those who may see it", async () => {
    const found = await find(all(forbidden));
    expect(found).toMatchObject({ isReadable: false, codes: [forbidden.code], labels: [] });
    expect(found.cost).toMatchObject({ money: cost });
  });

  it("shows the other lists when one does not answer, and says so", async () => {
    const found = await find({ "GET /requests": broken });
    expect(found).toMatchObject({ isReadable: true, codes: [broken.code] });
    expect(found.labels).toEqual(["Requests", "Predictions", "Deliveries"]);
    expect(found.parts.map((part) => part.all.ok)).toEqual([false, true, true]);
  });

  it("knows an unknown cost from usage that is not summed by this key", async () => {
    expect((await find({ "GET /usage": { ...forbidden, param: "metadata" } })).cost).toBe("not summed");
    expect(await find({ "GET /usage": forbidden })).toMatchObject({ cost: null, codes: [] });
    expect(await find({ "GET /usage": broken })).toMatchObject({ cost: null, codes: [broken.code] });
  });
});

describe("everything with a description", () => {
  it("has the deliveries of its endpoints and the pairs that it names", async () => {
    const found = await findByDescription(said, gatewayWhere({}), "Acme", since);
    expect(found.parts.map(({ label, href }) => [label, href])).toEqual([
      ["Deliveries", expect.stringContaining("endpoint_id=we_1")],
    ]);
    expect(found.pairs).toEqual(["customer=acme"]);
  });

  it("says why no endpoint can be read", async () => {
    const found = await findByDescription(said, gatewayWhere(all(forbidden)), "Acme", since);
    expect(found).toMatchObject({ isReadable: false, parts: [], failures: [forbidden] });
  });

  it("is readable, and empty, if no endpoint has it", async () => {
    const found = await findByDescription(said, gatewayWhere({}), "Nobody", since);
    expect(found).toMatchObject({ isReadable: true, parts: [], failures: [] });
  });
});

it.each([
  ["17", true],
  ["7", false],
  ["customer 17", true],
  ["CUSTOMER-17", true],
  ["acme.example", true],
  ["acm", false],
  ["=", false],
])("an endpoint is named by whole words: %s", (value, isNamed) => {
  const endpoint = { description: "Customer 17, production", url: "https://acme.example/hook" };
  expect(namesValue(endpoint, value)).toBe(isNamed);
});
