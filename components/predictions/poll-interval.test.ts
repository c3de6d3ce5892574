import { describe, expect, it } from "vitest";
import { at, finishedPrediction, samplePrediction, startMs } from "@/lib/timeline/testing/samples";
import { pollInterval } from "./poll-interval.ts";

const msAt = (seconds: number) => startMs + seconds * 1000;

describe("pollInterval", () => {
  it("reads every two seconds at first, then less often", () => {
    const asked = [1, 59, 61, 599, 601, 9000].map((age) => pollInterval(samplePrediction(), msAt(age)));
    expect(asked).toEqual([2000, 2000, 5000, 5000, 10_000, 10_000]);
  });

  it("stops at a final status, and at an unknown status with a completion time", () => {
    for (const status of ["succeeded", "failed", "canceled"]) {
      expect(pollInterval(finishedPrediction({ status }), msAt(20))).toBe(false);
    }
    expect(pollInterval(samplePrediction({ status: "archived", completed_at: at(3) }), msAt(20))).toBe(false);
    expect(pollInterval(samplePrediction({ status: "paused" }), msAt(20))).toBe(2000);
    expect(pollInterval(undefined, msAt(20))).toBe(false);
  });

  it("reads again when the files should have been removed, until they are", () => {
    expect(pollInterval(finishedPrediction(), msAt(90_000))).toBe(10_000);
    expect(pollInterval(finishedPrediction({ data_removed: true }), msAt(90_000))).toBe(false);
  });
});
