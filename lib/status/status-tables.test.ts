import { describe, expect, it } from "vitest";
import { isTerminal, predictionStatuses, predictionTransitions } from "#contract/prediction.ts";
import { uploadStatuses } from "#contract/upload.ts";
import { deliveryStatuses, endpointStatuses, retryableDeliveryStatuses } from "#contract/webhook.ts";
import { deliveryLook } from "./delivery.ts";
import { endpointLook } from "./endpoint.ts";
import { predictionLook } from "./prediction.ts";
import { uploadLook } from "./upload.ts";

describe("every status of the contract has words of its own", () => {
  it.each([
    ["prediction", predictionStatuses, predictionLook],
    ["upload", uploadStatuses, uploadLook],
    ["delivery", deliveryStatuses, deliveryLook],
    ["endpoint", endpointStatuses, endpointLook],
  ] as const)("%s", (_name, statuses, look) => {
    const labels = statuses.map((status) => look(status).label);
    expect(new Set(labels).size).toBe(statuses.length);
    for (const status of statuses) expect(look(status).meaning).not.toContain("does not know");
  });
});

it("allows what the contract's transitions allow", () => {
  for (const status of predictionStatuses) {
    expect(predictionLook(status).terminal).toBe(isTerminal(status));
    expect(predictionLook(status).canCancel).toBe(predictionTransitions[status].includes("canceled"));
  }
  for (const status of deliveryStatuses)
    expect(deliveryLook(status).canRetry).toBe(retryableDeliveryStatuses.includes(status));
});

it.each([predictionLook, uploadLook, deliveryLook, endpointLook])(
  "renders a status nobody knows neutral, in its own words",
  (look) => {
    for (const status of ["paused_by_moon", "toString", "__proto__"])
      expect(look(status)).toMatchObject({ label: status, tone: "waiting" });
  },
);
