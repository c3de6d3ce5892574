import { describe, expect, it } from "vitest";
import { copyStatuses, copyTransitions } from "#contract/copy-constants.ts";
import { isTerminal, predictionStatuses, predictionTransitions } from "#contract/prediction.ts";
import { uploadStatuses } from "#contract/upload.ts";
import {
  type Delivery,
  deliveryStatuses,
  endpointStatuses,
  retryableDeliveryStatuses,
} from "#contract/webhook.ts";
import { copyLook } from "./copy.ts";
import { deliveryLook, isHeldBack } from "./delivery.ts";
import { endpointLook } from "./endpoint.ts";
import { predictionLook } from "./prediction.ts";
import { uploadLook } from "./upload.ts";

describe("every status of the contract has its own texts", () => {
  it.each([
    ["prediction", predictionStatuses, predictionLook],
    ["upload", uploadStatuses, uploadLook],
    ["delivery", deliveryStatuses, deliveryLook],
    ["endpoint", endpointStatuses, endpointLook],
    ["copy", copyStatuses, copyLook],
  ] as const)("%s", (_name, statuses, look) => {
    const labels = statuses.map((status) => look(status).label);
    expect(new Set(labels).size).toBe(statuses.length);
    for (const status of statuses) expect(look(status).meaning).not.toContain("does not know");
  });
});

it("allows exactly the transitions of the contract", () => {
  for (const status of predictionStatuses) {
    expect(predictionLook(status).terminal).toBe(isTerminal(status));
    expect(predictionLook(status).canCancel).toBe(predictionTransitions[status].includes("canceled"));
  }
  for (const status of copyStatuses)
    expect(copyLook(status).open).toBe(copyTransitions[status].some((next) => next !== "pending"));
  for (const status of deliveryStatuses)
    expect(deliveryLook(status).canRetry).toBe(retryableDeliveryStatuses.includes(status));
});

it.each([predictionLook, uploadLook, deliveryLook, endpointLook, copyLook])(
  "shows an unknown status in a neutral tone with its raw text",
  (look) => {
    for (const status of ["paused_by_moon", "toString", "__proto__"])
      expect(look(status)).toMatchObject({ label: status, tone: "waiting" });
  },
);

it.each([
  ["rate", 0, false],
  ["rate", 5, true],
  ["endpoint", 5, false],
  [null, 5, false],
])("a delivery that waits for %s and is due since %i s is held back: %s", (reason, seconds, held) => {
  const dueAt = "2026-11-20T10:00:00Z";
  const delivery = { waits_for: reason, next_attempt_at: dueAt } as Delivery;
  expect(isHeldBack(delivery, Date.parse(dueAt) + seconds * 1_000)).toBe(held);
});
