import { describe, expect, it } from "vitest";
import { localFailure } from "@/lib/gateway/result";
import { english } from "@/scripts/testing/english";
import {
  canPause,
  newItem,
  type QueueItem,
  type QueueState,
  queueReducer,
  queueSummary,
  startable,
} from "./queue.ts";

const t = english("uploads");

function item(key: string, state: QueueState = "waiting"): QueueItem {
  return { ...newItem(new File(["x"], `${key}.png`)), key, state };
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

  it("continues after a failure", () => {
    const items = queueReducer([item("a", "sending"), item("b")], {
      type: "failed",
      key: "a",
      failure: localFailure("offline", "No connection."),
    });
    expect(items[0]).toMatchObject({ state: "failed", failure: { code: "offline" } });
    expect(startable(items).map(({ key }) => key)).toEqual(["b"]);
  });

  it("distinguishes a canceled upload from a failed one", () => {
    const failure = localFailure("canceled", "The upload was canceled.");
    expect(queueReducer([item("a", "sending")], { type: "failed", key: "a", failure })[0]?.state).toBe(
      "canceled",
    );
  });

  it("sends a failed file again", () => {
    const failed = { ...item("a", "failed"), failure: localFailure("offline", "") };
    expect(queueReducer([failed], { type: "again", key: "a" })[0]).toEqual({
      ...failed,
      state: "waiting",
      failure: null,
    });
  });

  it("pauses a file that is sent in parts, and starts the next one in the meantime", () => {
    const large = new File([new Uint8Array(8_000_001)], "clip.mp4");
    const sending = { ...newItem(large), key: "a", state: "sending" as const };
    expect([canPause(sending), canPause(item("b", "sending"))]).toEqual([true, false]);
    const failure = localFailure("paused", "The upload was paused.");
    const items = queueReducer([sending, item("b")], { type: "failed", key: "a", failure });
    expect(items[0]?.state).toBe("paused");
    expect(startable(items).map(({ key }) => key)).toEqual(["b"]);
    expect(queueReducer(items, { type: "again", key: "a" })[0]?.state).toBe("waiting");
  });

  it("describes itself in one sentence, without counting bytes", () => {
    expect(queueSummary([item("a", "done"), item("b", "sending"), item("c"), item("d", "failed")], t)).toBe(
      "2 uploading, 1 done, 1 failed",
    );
    expect(queueSummary([item("a", "offline"), item("b", "paused")], t)).toBe(
      "1 waiting for the connection, 1 paused",
    );
    expect(queueSummary([], t)).toBe("");
  });
});
