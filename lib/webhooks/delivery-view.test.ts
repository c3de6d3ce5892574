import { describe, expect, it } from "vitest";
import type { Delivery } from "#contract/webhook.ts";
import { canRetryMatching, deliveryList, retriedSince } from "./delivery-view.ts";
import { idFilter } from "./id-filter.ts";

const { empty: emptyView, filterOf, queryOf, searchOf: viewSearch, countOf: countFilters } = deliveryList;

const nowMs = Date.parse("2026-11-20T10:00:31.000Z");

describe("the URL of the log of deliveries", () => {
  it("filters nothing when nothing is set", () => {
    expect(filterOf(emptyView, nowMs)).toEqual({});
    expect(queryOf(emptyView, nowMs)).toEqual({ limit: 50 });
    expect(viewSearch(emptyView)).toBe("");
  });

  it("sends the same start time all through a minute", () => {
    const view = { ...emptyView, since: "1h" };
    expect(filterOf(view, nowMs)).toEqual({ created_after: "2026-11-20T09:00:00.000Z" });
    expect(filterOf(view, nowMs + 20_000)).toEqual(filterOf(view, nowMs));
  });

  it("prefers an exact start to a span, and ignores an unknown span", () => {
    const exact = { ...emptyView, since: "1h", created_after: "2026-11-01T00:00:00Z" };
    expect(filterOf(exact, nowMs)).toEqual({ created_after: "2026-11-01T00:00:00Z" });
    expect(filterOf({ ...emptyView, since: "toString" }, nowMs)).toEqual({});
  });

  it("keeps filters in links and leaves the page out", () => {
    const view = { ...emptyView, status: "dead-letter", since: "7d", after: "dlv_1" };
    expect(viewSearch(view)).toBe("?status=dead-letter&since=7d");
    expect(countFilters(view)).toBe(2);
    expect(queryOf(view, nowMs).after).toBe("dlv_1");
  });

  it("lists failed deliveries that nobody retried, apart from retried ones", () => {
    for (const status of ["failed", "dead-letter"])
      expect(filterOf({ ...emptyView, status }, nowMs)).toEqual({ status, retried: false });
    expect(filterOf({ ...emptyView, status: retriedSince }, nowMs)).toEqual({ retried: true });
    expect(filterOf({ ...emptyView, status: "delivered" }, nowMs)).toEqual({ status: "delivered" });
  });

  it("counts a period as one filter", () => {
    const times = { created_after: "2026-11-01T00:00:00Z", created_before: "2026-11-02T00:00:00Z" };
    expect(countFilters({ ...emptyView, ...times, status: "failed" })).toBe(2);
  });

  it("offers to retry all matching deliveries only with a filter and something to send", () => {
    const page = (...statuses: string[]) => ({
      object: "list" as const,
      data: statuses.map((status) => ({ status, retried_as: null }) as Delivery),
      has_more: false,
      first_id: null,
      last_id: null,
    });
    const failed = { ...emptyView, endpoint_id: "we_1" };
    expect(canRetryMatching(emptyView, page("dead-letter"))).toBe(false);
    expect(canRetryMatching(failed, page("delivered", "dead-letter"))).toBe(true);
    expect(canRetryMatching(failed, page("delivered", "pending"))).toBe(false);
    expect(canRetryMatching(failed, { ...page("delivered"), has_more: true })).toBe(true);
    const delivered = { ...emptyView, status: "delivered" };
    expect(canRetryMatching(delivered, { ...page("delivered"), has_more: true })).toBe(false);
  });

  it.each([
    [" evt_01k9 ", { name: "event_id", value: "evt_01k9" }],
    ["dlv_01k9", { name: "id", value: "dlv_01k9" }],
    ["we_01k9", { name: "endpoint_id", value: "we_01k9" }],
    ["upl_01k9", null],
    ["constructor_1", null],
    ["hello", null],
  ])("recognises the kind of %s", (pasted, filter) => {
    expect(idFilter(pasted)).toEqual(filter);
  });
});
