import { describe, expect, it } from "vitest";
import { ProviderError } from "#gateway/core/provider-error.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import type { RegionKey } from "../configuration.ts";
import { resetMs } from "../health/rate-limit.ts";
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

  it("are used by their shares; one without a share when no other can", () => {
    const ring = ringOf(key("three", { share: 3 }), key("one"), key("spare", { share: 0 }));
    const random = seededRandom("shares");
    const firsts = Array.from({ length: 4_000 }, () => ring.inTurn(random)[0]);
    const share = firsts.filter((name) => name === "three").length / firsts.length;
    expect(share).toBeGreaterThan(0.71);
    expect(share).toBeLessThan(0.79);
    expect(firsts).not.toContain("spare");
    expect(ring.inTurn(random).at(-1)).toBe("spare");
  });

  it("are set aside one by one: refused ones for a minute, limited ones for as long as the upstream says", () => {
    const ring = ringOf(key("a"), key("b"));
    expect(ring.failed("a", refused)).toBe(true);
    expect(ring.inTurn()).toEqual(["b"]);
    expect(ring.failed("b", limited(20_000))).toBe(true);
    expect(ring.inTurn()).toEqual([]);
    expect(ring.refusal()).toMatchObject({
      code: "upstream_rate_limited",
      started: "no",
      retryAfterMs: 20_000,
    });
    now += 20_000;
    expect(ring.inTurn()).toEqual(["b"]);
    expect(ring.asideOf("a")?.failure).toBe(refused);
    now += 40_000;
    expect(ring.inTurn().sort()).toEqual(["a", "b"]);
    expect(ring.asideOf("a")).toBeNull();
  });

  it("stay in use after a failure that is not theirs, and after a limit without a time", () => {
    const ring = ringOf(key("a"), key("b"));
    expect(ring.failed("a", new ProviderError("service_unavailable", "Away.", { started: "no" }))).toBe(
      false,
    );
    expect(ring.failed("a", limited())).toBe(true);
    expect(ring.inTurn()).toHaveLength(2);
  });

  it("begin no more calls in a minute, and have no more under way, than they may", () => {
    const ring = ringOf(key("slow", { perMinute: 2 }), key("narrow", { concurrency: 1 }));
    const end = ring.enter("narrow");
    ring.enter("slow");
    expect(ring.inTurn()).toEqual(["slow"]);
    ring.enter("slow")();
    expect(ring.inTurn()).toEqual([]);
    end();
    end();
    expect(ring.inTurn()).toEqual(["narrow"]);
    now += 60_000;
    expect(ring.inTurn()).toHaveLength(2);
    ring.enter("narrow");
    expect(ring.inTurn()).toEqual(["slow"]);
  });

  it("rest when the upstream says that nothing is left, five minutes at most", () => {
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
    expect(ring.inTurn()).toEqual(["b"]);
    now += 5 * 60_000;
    expect(ring.inTurn()).toHaveLength(2);
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

it("reads a reset that is a time", () => {
  const soon = Date.now() + 30_000;
  expect(resetMs(new Date(soon).toISOString())).toBeGreaterThan(28_000);
  expect(resetMs(String(soon / 1000))).toBeGreaterThan(28_000);
});
