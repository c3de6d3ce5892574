import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { progressLabel } from "./progress-label.ts";

const t = english("uploads");

it("shows the sent part, and rate and remaining time as soon as they are known", () => {
  const progress = { sentBytes: 100_000_000, totalBytes: 300_000_000 };
  expect(progressLabel(progress, t)).toBe("Uploading 100 MB of 300 MB");
  expect(progressLabel({ ...progress, bytesPerSecond: null }, t)).toBe("Uploading 100 MB of 300 MB");
  expect(progressLabel({ ...progress, bytesPerSecond: 2_000_000 }, t)).toBe(
    "Uploading 100 MB of 300 MB · 2 MB/s · 1 m 40 s left",
  );
});
