import { expect, it } from "vitest";
import type { Prediction } from "#contract/prediction.ts";
import type { Upload } from "#contract/upload.ts";
import { expiringSoon } from "./expiring.ts";

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
const upload = (id: string, more: Partial<Upload>) =>
  ({ id, filename: "cat.png", status: "verified", object_expires_at: null, ...more }) as Upload;

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
