import { describe, expect, it } from "vitest";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import type { RegionKey } from "../configuration.ts";
import { resetMs } from "../http/rate-limit.ts";
import { KeyRing } from "./key-ring.ts";

const key = (name: string, rules: Partial<RegionKey> = {}): RegionKey => ({
  name,
  secret: `secret-of-${name}`,
  share: 1,
  perMinute: null,
  concurrency: null,
  ...rules,
});
const limited = (retryAfterMs?: number) =>
  new ProviderError("upstream_rate_limited", "Busy.", {
    started: "no",
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
const refused = new ProviderError("upstream_error", "Refused.", { started: "no", refusesKey: true });

describe("the keys of a provider in a region", () => {
  let now = 1_000_000;
  const ringOf = (...keys: RegionKey[]) => new KeyRing(keys, () => now);

  it("are used in proportion to their shares; a key with share 0 is used only when no other can be", () => {
    const ring = ringOf(key("three", { share: 3 }), key("one"), key("spare", { share: 0 }));
    const random = seededRandom("shares");
    const firsts = Array.from({ length: 4_000 }, () => ring.take(undefined, random)?.name);
    const share = firsts.filter((name) => name === "three").length / firsts.length;
    expect(share).toBeGreaterThan(0.71);
    expect(share).toBeLessThan(0.79);
    expect(firsts).not.toContain("spare");
    for (const name of ["three", "one"]) ring.failed(name, refused);
    expect(ring.take(undefined, random)?.name).toBe("spare");
  });

  it("are set aside one by one: rejected ones for a minute, rate-limited ones for the time that the upstream gives", () => {
    const ring = ringOf(key("a"), key("b"));
    expect(ring.failed("a", refused)).toBe(true);
    expect(ring.free()).toEqual(["b"]);
    expect(ring.failed("b", limited(20_000))).toBe(true);
    expect(ring.free()).toEqual([]);
    expect(ring.refusal()).toMatchObject({
      code: "upstream_rate_limited",
      started: "no",
      retryAfterMs: 20_000,
    });
    now += 20_000;
    expect(ring.free()).toEqual(["b"]);
    expect(ring.asideOf("a")?.failure).toBe(refused);
    now += 40_000;
    expect(ring.free()).toEqual(["a", "b"]);
    expect(ring.asideOf("a")).toBeNull();
  });

  it("stay in use after a failure that they did not cause, and pause briefly after a rate limit without a time", () => {
    const ring = ringOf(key("a"), key("b"));
    expect(ring.failed("a", new ProviderError("service_unavailable", "Away.", { started: "no" }))).toBe(
      false,
    );
    expect(ring.failed("a", limited())).toBe(true);
    expect(ring.free()).toEqual(["b"]);
    now += 1_000;
    expect(ring.free()).toHaveLength(2);
  });

  it("stay within their limits of calls per minute and calls in progress", () => {
    const slow = ringOf(key("slow", { perMinute: 2 }), key("refused"));
    slow.failed("refused", refused);
    for (const _ of [1, 2]) slow.take()?.leave();
    expect(slow.take()).toBeNull();
    expect(slow.refusal()).toMatchObject({ code: "upstream_rate_limited", retryAfterMs: expect.any(Number) });
    now += 60_000;
    expect(slow.free()).toHaveLength(2);

    const narrow = ringOf(key("narrow", { concurrency: 1 }), key("refused"));
    narrow.failed("refused", refused);
    const call = narrow.take();
    expect(narrow.take()).toBeNull();
    call?.leave();
    call?.leave();
    expect(narrow.take()?.name).toBe("narrow");
    expect(narrow.take()).toBeNull();
  });

  it("pause when the upstream reports no remaining calls, for at most five minutes", () => {
    const ring = ringOf(key("a"), key("b"));
    const limit = {
      at: "",
      limit_requests: 10,
      remaining_requests: 0,
      reset_requests: "6m0s",
      limit_tokens: null,
      remaining_tokens: null,
      reset_tokens: null,
    };
    ring.limited("a", limit);
    ring.limited("b", { ...limit, remaining_requests: 3 });
    expect(ring.free()).toEqual(["b"]);
    now += 5 * 60_000;
    expect(ring.free()).toHaveLength(2);
  });
});

it.each([
  ["6m0s", 360_000],
  ["1h2m3.5s", 3_723_500],
  ["250ms", 250],
  ["12", 12_000],
  ["soon", 0],
  ["", 0],
  [null, 0],
])("reads the reset %s as %i ms", (text, ms) => expect(resetMs(text)).toBe(ms));

it("reads a reset that is given as a date", () => {
  const soon = Date.now() + 30_000;
  expect(resetMs(new Date(soon).toISOString())).toBeGreaterThan(28_000);
  expect(resetMs(String(soon / 1000))).toBeGreaterThan(28_000);
});
