import { describe, expect, it } from "vitest";
import { activeFilters, emptyFilter, filterSearch, gatewayQuery } from "./filter.ts";

const nowMs = Date.parse("2026-11-20T12:00:00.000Z");

describe("the filter of the predictions list", () => {
  it("asks the gateway in its own words", () => {
    const query = gatewayQuery(
      { ...emptyFilter, status: "failed", region: "eu-frankfurt", period: "24h" },
      nowMs,
    );
    expect(query).toMatchObject({
      status: "failed",
      svc_region: "eu-frankfurt",
      created_after: "2026-11-19T12:00:00.000Z",
      created_before: null,
      limit: 50,
    });
  });

  it("takes exact times only for a custom period", () => {
    const from = new Date("2026-11-01T00:00:00.000Z");
    expect(gatewayQuery({ ...emptyFilter, from }, nowMs).created_after).toBeNull();
    expect(gatewayQuery({ ...emptyFilter, from, period: "custom" }, nowMs).created_after).toBe(
      from.toISOString(),
    );
  });

  it("goes along into a prediction's URL, without the place in the list", () => {
    expect(filterSearch({ ...emptyFilter, model: "svc/vid-t2v", after: "pred_1" })).toBe(
      "?model=svc/vid-t2v",
    );
    expect(filterSearch(emptyFilter)).toBe("");
  });

  it("counts what narrows the list", () => {
    expect(activeFilters({ ...emptyFilter, status: "failed", period: "1h", after: "pred_1" })).toBe(2);
  });
});
