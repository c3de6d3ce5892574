import { expect, test } from "vitest";
import { resendRequest } from "./endpoint-values.ts";

const values = { period: "24h", from: "", type: "", include: "missed", rate: "" } as const;
const nowMs = Date.parse("2026-11-20T10:00:00Z");

test("the last hour ends now, a start time is in the reader's zone, and without a time there is no request", () => {
  expect(resendRequest(values, nowMs)).toEqual({ since: "2026-11-19T10:00:00.000Z", include: "missed" });
  const from = "2026-11-01T08:00";
  expect(resendRequest({ ...values, period: "from", from }, nowMs)?.since).toBe(new Date(from).toISOString());
  expect(resendRequest({ ...values, period: "from" }, nowMs)).toBeNull();
});

test("type and rate are sent when the user chooses them", () => {
  const chosen = { ...values, type: "batch.finished", include: "all", rate: " 20 " } as const;
  expect(resendRequest(chosen, nowMs)).toMatchObject({
    types: ["batch.finished"],
    include: "all",
    rate_per_second: 20,
  });
  expect(resendRequest({ ...values, type: "__proto__" }, nowMs)).not.toHaveProperty("types");
});
