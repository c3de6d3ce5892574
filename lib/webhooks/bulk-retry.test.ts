import { describe, expect, it, vi } from "vitest";
import type { BulkRetryResult, Delivery } from "#contract/webhook.ts";
import { type GatewayFailure, localFailure } from "../gateway/result.ts";
import { type BulkRetryCalls, type BulkRun, previewBulkRetry, runBulkRetry } from "./bulk-retry.ts";

const startedAt = new Date("2026-11-20T10:00:00.000Z");

function failure(status: number, code: string, retryAfterSeconds: number | null = null) {
  const error: GatewayFailure = { ...localFailure(code, code), status, retryAfterSeconds };
  return { ok: false as const, error };
}

function result(ids: string[], more = 0, refused: Record<string, string> = {}) {
  const data: BulkRetryResult = {
    object: "webhook.delivery_retry",
    dry_run: false,
    run_id: "bulk_1",
    matched: ids.length + more,
    retryable: ids.length + more,
    retried: ids.length,
    has_more: more > 0,
    results: ids.map((id) => ({
      id,
      delivery_id: refused[id] ? null : `new_${id}`,
      code: refused[id] ?? null,
    })),
  };
  return { ok: true as const, data };
}

function calls(change: Partial<BulkRetryCalls>): BulkRetryCalls {
  const missing = async () => failure(404, "route_not_found");
  return { retryMany: missing, retryOne: missing, list: missing, ...change };
}

function run(change: Partial<BulkRun> & { calls: BulkRetryCalls }) {
  return runBulkRetry({
    selection: { filter: { status: "failed" } },
    startedAt,
    onProgress: () => {},
    signal: new AbortController().signal,
    sleep: async () => {},
    ...change,
  });
}

const delivery = (id: string, status: string) => ({ id, status }) as Delivery;

describe("runBulkRetry", () => {
  it("calls again while more match, as one run, and never includes deliveries created after its start", async () => {
    const bodies: Parameters<BulkRetryCalls["retryMany"]>[0][] = [];
    const answers = [result(["a", "b"], 1), result(["c"])];
    const outcome = await run({
      calls: calls({
        retryMany: async (body) => {
          bodies.push(body);
          return answers[bodies.length - 1] ?? failure(500, "internal_error");
        },
      }),
    });
    expect(outcome).toMatchObject({ end: "done", queued: 3, refused: 0 });
    const first = { filter: { status: "failed", created_before: startedAt.toISOString() }, limit: 25 };
    expect(bodies).toEqual([first, { ...first, run_id: "bulk_1" }]);
  });

  it("keeps an earlier end of the filter", async () => {
    const retryMany = vi.fn(async (_body: object) => result([]));
    const filter = { created_before: "2026-11-19T00:00:00.000Z" };
    await run({ calls: calls({ retryMany }), selection: { filter } });
    expect(retryMany).toHaveBeenCalledWith({ filter, limit: 25 });
  });

  it("ends when a call returns nothing new, although the gateway reports more", async () => {
    const retryMany = vi.fn(async () => result(["a"], 4));
    const outcome = await run({ calls: calls({ retryMany }) });
    expect(outcome.rows).toHaveLength(1);
    expect(retryMany).toHaveBeenCalledTimes(2);
  });

  it("reports for each row why it was refused", async () => {
    const outcome = await run({
      calls: calls({ retryMany: async () => result(["a", "b"], 0, { b: "endpoint_disabled" }) }),
      selection: { ids: ["a", "b"] },
    });
    expect(outcome.rows[1]).toEqual({ id: "b", deliveryId: null, code: "endpoint_disabled" });
    expect(outcome).toMatchObject({ queued: 1, refused: 1 });
  });

  it("sends selected rows 25 at a time and reports after each step", async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `d${index}`);
    const seen: (number | null)[][] = [];
    await run({
      calls: calls({ retryMany: async (body) => result(body.ids ?? []) }),
      selection: { ids },
      onProgress: ({ queued, left }) => seen.push([queued, left]),
    });
    expect(seen).toEqual([
      [25, 35],
      [50, 10],
      [60, 0],
    ]);
  });

  it("stops before the next step and shows exactly how many were not retried", async () => {
    const ids = Array.from({ length: 167 }, (_, index) => `d${index}`);
    const stop = new AbortController();
    const retryMany = vi.fn(async (body: { ids?: string[] }) => {
      // The user presses Stop during the first step, whose queued deliveries still count.
      stop.abort();
      return result(body.ids ?? []);
    });
    const outcome = await run({ calls: calls({ retryMany }), selection: { ids }, signal: stop.signal });
    expect(outcome).toMatchObject({ end: "stopped", queued: 25, left: 142 });
    expect(retryMany).toHaveBeenCalledTimes(1);
  });

  it("does not report a stop when nothing was left to stop", async () => {
    const stop = new AbortController();
    const outcome = await run({
      calls: calls({ retryMany: async (body) => result(body.ids ?? []) }),
      selection: { ids: ["a", "b"] },
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    expect(outcome).toMatchObject({ end: "done", queued: 2, left: 0 });
  });

  it("does not wait for a 429 that arrives after Stop", async () => {
    const stop = new AbortController();
    const outcome = await runBulkRetry({
      calls: calls({
        retryMany: async () => {
          stop.abort();
          return failure(429, "rate_limit_exceeded", 300);
        },
      }),
      selection: { ids: ["a"] },
      startedAt,
      onProgress: () => {},
      signal: stop.signal,
    });
    expect(outcome).toMatchObject({ end: "stopped", queued: 0, left: 1 });
  });

  it("waits as long as a 429 requests, and continues", async () => {
    const answers = [failure(429, "rate_limit_exceeded", 90), result(["a"])];
    const sleep = vi.fn(async () => {});
    const outcome = await run({
      calls: calls({ retryMany: async () => answers.shift() ?? result([]) }),
      selection: { ids: ["a"] },
      sleep,
    });
    expect(sleep).toHaveBeenCalledWith(90_000, expect.anything());
    expect(outcome).toMatchObject({ end: "done", queued: 1 });
  });

  it("stops at once when the user stops it, and keeps the results so far", async () => {
    const stop = new AbortController();
    const retryMany = vi.fn(async () => result(["a"], 4));
    const outcome = await run({
      calls: calls({ retryMany }),
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    expect(outcome).toMatchObject({ end: "stopped", queued: 1, left: 4 });
    expect(retryMany).toHaveBeenCalledTimes(1);
  });

  it("ends with the error of a failed call, and keeps the deliveries queued before", async () => {
    const answers = [result(["a"], 4), failure(503, "service_unavailable")];
    const outcome = await run({ calls: calls({ retryMany: async () => answers.shift() ?? result([]) }) });
    expect(outcome).toMatchObject({ end: "failed", queued: 1, error: { code: "service_unavailable" } });
  });

  it("retries one by one through the pages of a gateway without the bulk route", async () => {
    const pages = [
      { data: [delivery("a", "failed"), delivery("b", "delivered")], has_more: true, last_id: "b" },
      { data: [delivery("c", "dead-letter")], has_more: false, last_id: "c" },
    ];
    const list = vi.fn(async () => ({
      ok: true as const,
      data: pages.shift() ?? { data: [], has_more: false, last_id: null },
    }));
    const outcome = await run({
      calls: calls({
        list,
        retryOne: async (id) =>
          id === "c"
            ? failure(409, "delivery_not_retryable")
            : { ok: true, data: delivery(`new_${id}`, "pending") },
      }),
    });
    expect(outcome.rows).toEqual([
      { id: "a", deliveryId: "new_a", code: null },
      { id: "c", deliveryId: null, code: "delivery_not_retryable" },
    ]);
    expect(list).toHaveBeenLastCalledWith(expect.objectContaining({ after: "b" }));
  });
});

describe("previewBulkRetry", () => {
  it("requests a dry run", async () => {
    const retryMany = vi.fn(async (_body: object) => result(["a"]));
    const answer = await previewBulkRetry(calls({ retryMany }), { ids: ["a"] }, startedAt);
    expect(retryMany).toHaveBeenCalledWith({ ids: ["a"], dry_run: true });
    expect(answer).toEqual({ ok: true, data: { matched: 1, retryable: 1, exact: true } });
  });

  it("counts by pages, and shows “at least”, when the gateway cannot count", async () => {
    const page = { data: [delivery("a", "failed"), delivery("b", "pending")], has_more: true, last_id: "b" };
    const answer = await previewBulkRetry(
      calls({ list: async () => ({ ok: true, data: page }) }),
      { filter: {} },
      startedAt,
    );
    expect(answer).toEqual({ ok: true, data: { matched: 10, retryable: 5, exact: false } });
  });
});
