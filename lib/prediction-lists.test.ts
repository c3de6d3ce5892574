import { describe, expect, it } from "vitest";
import { predictionList } from "./prediction-lists.ts";

const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
const { empty, viewOf, queryOf, searchOf, countOf } = predictionList;

describe("the address of the predictions list", () => {
  it("becomes a query with the gateway's names", () => {
    const view = viewOf({ status: "failed", svc_region: "eu-frankfurt", since: "24h", after: "pred_1" });
    expect(queryOf(view, nowMs)).toEqual({
      status: "failed",
      svc_region: "eu-frankfurt",
      created_after: "2026-11-19T12:00:00.000Z",
      view: "summary",
      limit: 50,
      after: "pred_1",
    });
  });

  it("takes the first of several values, and ignores parameters that are not filters", () => {
    expect(viewOf({ model: ["svc/chat-1", "svc/chat-2"], constructor: "x" })).toEqual({
      ...empty,
      model: "svc/chat-1",
    });
  });

  it("is added to a prediction's address, without the page position", () => {
    expect(searchOf({ ...empty, model: "svc/vid-t2v", after: "pred_1" })).toBe("?model=svc%2Fvid-t2v");
    expect(searchOf(empty)).toBe("");
  });

  it("counts the filters that are set", () => {
    expect(countOf({ ...empty, status: "failed", since: "1h", after: "pred_1" })).toBe(2);
  });
});
