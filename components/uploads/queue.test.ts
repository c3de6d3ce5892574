import { describe, expect, it } from "vitest";
import { localFailure } from "@/lib/gateway/result";
import { type QueueItem, type QueueState, queueReducer, queueSummary, startable } from "./queue.ts";

function item(key: string, state: QueueState = "waiting"): QueueItem {
  return { key, file: new File(["x"], `${key}.png`), state, sentBytes: 0, failure: null, upload: null };
}

describe("the queue of uploads", () => {
  it("starts at most three at once", () => {
    const items = ["a", "b", "c", "d"].map((key) => item(key));
    expect(startable(items).map(({ key }) => key)).toEqual(["a", "b", "c"]);
    expect(startable([item("a", "sending"), item("b", "verifying"), item("c"), item("d")])).toHaveLength(1);
    expect(startable([item("a", "sending"), item("b", "creating"), item("c", "sending"), item("d")])).toEqual(
      [],
    );
  });

  it("goes on after a failure", () => {
    const items = queueReducer([item("a", "sending"), item("b")], {
      type: "failed",
      key: "a",
      failure: localFailure("offline", "No connection."),
    });
    expect(items[0]).toMatchObject({ state: "failed", failure: { code: "offline" } });
    expect(startable(items).map(({ key }) => key)).toEqual(["b"]);
  });

  it("tells a canceled upload from a failed one", () => {
    const failure = localFailure("canceled", "The upload was canceled.");
    expect(queueReducer([item("a", "sending")], { type: "failed", key: "a", failure })[0]?.state).toBe(
      "canceled",
    );
  });

  it("sends a failed file again from its start", () => {
    const failed = { ...item("a", "failed"), sentBytes: 7, failure: localFailure("offline", "") };
    expect(queueReducer([failed], { type: "again", key: "a" })[0]).toEqual(
      item("a", "waiting") && { ...failed, state: "waiting", sentBytes: 0, failure: null },
    );
  });

  it("sums itself up without counting bytes", () => {
    expect(queueSummary([item("a", "done"), item("b", "sending"), item("c"), item("d", "failed")])).toBe(
      "2 uploading, 1 done, 1 failed",
    );
    expect(queueSummary([])).toBe("");
  });
});
