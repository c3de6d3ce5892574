import { expect, test } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { Breaker } from "./breaker.ts";

function fail(breaker: Breaker, times: number): void {
  for (let failure = 0; failure < times; failure += 1) breaker.report("failure");
}

test("opens after five failures in a row, probes once, doubles its cool-down to five minutes", () => {
  let now = 0;
  const breaker = new Breaker(() => now);
  fail(breaker, 4);
  breaker.report("success");
  fail(breaker, 4);
  expect(breaker.status).toBe("healthy");
  fail(breaker, 1);
  expect([breaker.status, breaker.enter()]).toEqual(["unhealthy", null]);
  for (const cooldownMs of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
    now += cooldownMs - 1;
    expect(breaker.enter()).toBeNull();
    now += 1;
    expect(breaker.status).toBe("degraded");
    expect([breaker.isPassable, breaker.isPassable]).toEqual([true, true]);
    expect([breaker.enter(), breaker.isPassable, breaker.enter()]).toEqual([expect.anything(), false, null]);
    breaker.report("failure");
    expect(breaker.status).toBe("unhealthy");
  }
  now += 300_000;
  expect(breaker.enter()).not.toBeNull();
  breaker.report("success");
  expect([breaker.status, breaker.enter(), breaker.enter()]).toEqual([
    "healthy",
    expect.anything(),
    expect.anything(),
  ]);
});

test("an unreported probe gives its place to the next request", () => {
  let now = 0;
  const breaker = new Breaker(() => now);
  fail(breaker, 5);
  now = 30_000;
  expect(breaker.enter()).not.toBeNull();
  now += 59_999;
  expect(breaker.enter()).toBeNull();
  now += 1;
  expect(breaker.enter()).not.toBeNull();
});

test("a probe without a result releases only its own slot, at once", () => {
  let now = 0;
  const breaker = new Breaker(() => now);
  const early = breaker.enter();
  fail(breaker, 5);
  now = 30_000;
  const probe = breaker.enter();
  early?.leave();
  expect(breaker.enter()).toBeNull();
  probe?.leave();
  expect(breaker.enter()).not.toBeNull();
});

test("a requested region is used or refused, never replaced", () => {
  const catalog = createCatalog();
  const model = catalog.model("svc/chat-1");
  if (!model) throw new Error("no model");
  const pick = (asked: string | null, allowed: string[] | null = null) =>
    catalog.pickRegion(model, asked, allowed);
  expect(pick(null)).toEqual({ region: "us-oregon" });
  expect(pick("us-virginia")).toEqual({ region: "us-virginia" });
  expect(pick(null, ["us-virginia", "cn-beijing"])).toEqual({ region: "us-virginia" });
  expect(pick("cn-beijing")).toMatchObject({ code: "region_not_available" });
  expect(pick("us-oregon", ["us-virginia"])).toMatchObject({ code: "region_not_allowed" });
  expect(pick(null, ["cn-beijing"])).toMatchObject({ code: "region_not_allowed" });
  for (let failure = 0; failure < 5; failure += 1) catalog.report(model.id, "us-oregon", "failure");
  expect(pick(null)).toEqual({ region: "us-virginia" });
  expect(pick("us-oregon")).toMatchObject({ code: "no_healthy_region" });
  expect(catalog.regions().data.find(({ id }) => id === "us-oregon")).toMatchObject({ status: "down" });
  expect(catalog.regions().data.find(({ id }) => id === "us-virginia")).toMatchObject({ status: "healthy" });
});
