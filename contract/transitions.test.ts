import { expect, it } from "vitest";
import { batchRowTransitions, batchTransitions } from "./batches.ts";
import { isTerminal, predictionTransitions } from "./prediction.ts";
import { uploadTransitions } from "./upload.ts";
import { deliveryTransitions, retryableDeliveryStatuses } from "./webhook.ts";

const tables = {
  predictionTransitions,
  uploadTransitions,
  deliveryTransitions,
  batchTransitions,
  batchRowTransitions,
};

it.each(Object.entries(tables))("the statuses that follow each of %s all exist", (_name, table) => {
  const rows: Record<string, readonly string[]> = table;
  for (const next of Object.values(rows).flat()) expect(rows).toHaveProperty(next);
});

it("a prediction's status is final exactly when no status follows it", () => {
  for (const [status, next] of Object.entries(predictionTransitions))
    expect(isTerminal(status)).toBe(next.length === 0);
});

it("only an undelivered delivery may be retried manually", () => {
  expect(retryableDeliveryStatuses).toEqual(["failed", "dead-letter"]);
  expect(deliveryTransitions["dead-letter"]).toEqual([]);
});
