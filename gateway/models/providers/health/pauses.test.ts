import { afterEach, expect, it, vi } from "vitest";
import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { Pauses } from "./pauses.ts";

const where = { provider: "first", model: "svc/chat-1", region: "us-virginia" } as const;
const busy = (retryAfterMs: number) =>
  new ProviderError("upstream_rate_limited", "Busy", { started: "no", retryAfterMs });

afterEach(() => vi.restoreAllMocks());

it("pauses one model at one provider in one region, for the remaining time but at most five minutes", () => {
  const now = vi.spyOn(clock, "now").mockReturnValue(1_000_000);
  const pauses = new Pauses();
  pauses.note(where, busy(30_000));
  now.mockReturnValue(1_020_000);
  expect(pauses.of(where)).toMatchObject({
    code: "upstream_rate_limited",
    retryAfterMs: 10_000,
    started: "no",
  });
  expect(pauses.of({ ...where, region: "us-oregon" })).toBeNull();
  expect(pauses.of({ ...where, provider: "second" })).toBeNull();
  now.mockReturnValue(1_030_000);
  expect(pauses.of(where)).toBeNull();

  pauses.note(where, busy(600_000));
  expect(pauses.of(where)?.retryAfterMs).toBe(300_000);
});

it("does not pause after an answer without a time, or one that does not request a wait", () => {
  const pauses = new Pauses();
  pauses.note(where, new ProviderError("service_unavailable", "Away", { started: "no" }));
  pauses.note(where, new ProviderError("upstream_error", "No", { started: "no", retryAfterMs: 9_000 }));
  pauses.note(where, new Error("unexpected"));
  expect(pauses.of(where)).toBeNull();
});
