import { expect, it } from "vitest";
import type { Prediction } from "#contract/prediction.ts";
import type { Upload } from "#contract/upload.ts";
import type { Delivery } from "#contract/webhook.ts";
import { expiringSoon, summarise } from "./summary.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const inHours = (hours: number) => new Date(nowMs + hours * 3_600_000).toISOString();

const prediction = (id: string, more: Partial<Prediction>) =>
  ({
    id,
    model: "svc/vid-t2v",
    status: "succeeded",
    data_removed: false,
    expires_at: null,
    ...more,
  }) as Prediction;
const delivery = (status: string, retried_as: string | null = null) => ({ status, retried_as }) as Delivery;
const upload = (id: string, more: Partial<Upload>) =>
  ({ id, filename: "cat.png", status: "verified", object_expires_at: null, ...more }) as Upload;

it("counts runs by what became of them", () => {
  const predictions = [
    prediction("pred_1", { status: "starting" }),
    prediction("pred_2", { status: "processing" }),
    prediction("pred_3", {}),
    prediction("pred_4", { status: "failed" }),
    prediction("pred_5", { status: "canceled" }),
  ];
  expect(summarise({ predictions, deliveries: [], deadLetters: [] })).toMatchObject({
    running: 2,
    succeeded: 1,
    failed: 1,
  });
});

it("leaves out deliveries that were sent again by hand", () => {
  const deliveries = [
    delivery("dead-letter", "dlv_2"),
    delivery("dead-letter"),
    delivery("failed"),
    delivery("delivered"),
  ];
  const deadLetters = deliveries.slice(0, 2);
  expect(summarise({ predictions: [], deliveries, deadLetters })).toMatchObject({
    deadLetters: 1,
    failing: 1,
    delivered: 1,
  });
});

it("names what goes within six hours, the nearest first", () => {
  const predictions = [
    prediction("pred_later", { expires_at: inHours(20) }),
    prediction("pred_soon", { expires_at: inHours(5) }),
    prediction("pred_gone", { expires_at: inHours(1), data_removed: true }),
    prediction("pred_past", { expires_at: inHours(-1) }),
  ];
  const uploads = [
    upload("upl_1", { object_expires_at: inHours(2) }),
    upload("upl_2", { status: "rejected", object_expires_at: inHours(1) }),
  ];
  expect(expiringSoon(predictions, uploads, nowMs).map(({ id }) => id)).toEqual(["upl_1", "pred_soon"]);
});
