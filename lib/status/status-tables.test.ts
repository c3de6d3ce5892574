import { describe, expect, it } from "vitest";
import { batchRowStatuses, batchStatuses } from "#contract/batch-constants.ts";
import { copyStatuses, copyTransitions } from "#contract/copy-constants.ts";
import { isTerminal, predictionStatuses, predictionTransitions } from "#contract/prediction.ts";
import { uploadStatuses } from "#contract/upload.ts";
import {
  type Delivery,
  deliveryStatuses,
  type Endpoint,
  endpointStatuses,
  retryableDeliveryStatuses,
} from "#contract/webhook.ts";
import { compiledPart } from "@/messages/compile";
import { wordsOf } from "@/messages/words";
import { english } from "@/scripts/testing/english";
import { batchLook, batchRowLook } from "./batch.ts";
import { copyLook, copyRules } from "./copy.ts";
import { deliveryLook, deliveryRules, isHeldBack } from "./delivery.ts";
import { endpointLook } from "./endpoint.ts";
import { predictionLook, predictionOptions, predictionRules } from "./prediction.ts";
import { uploadLook } from "./upload.ts";

const t = english("states");
const endpointStatusLook = (words: typeof t, status: string) =>
  endpointLook(words, { status: status as Endpoint["status"] });

describe("every status of the contract has its own texts", () => {
  it.each([
    ["prediction", predictionStatuses, predictionLook],
    ["upload", uploadStatuses, uploadLook],
    ["delivery", deliveryStatuses, deliveryLook],
    ["endpoint", endpointStatuses, endpointStatusLook],
    ["copy", copyStatuses, copyLook],
    ["batch", batchStatuses, batchLook],
    ["row of a batch", batchRowStatuses, batchRowLook],
  ] as const)("%s", (_name, statuses, look) => {
    const labels = statuses.map((status) => look(t, status).label);
    expect(new Set(labels).size).toBe(statuses.length);
    for (const status of statuses) expect(look(t, status).meaning).not.toBe("Unknown status");
  });
});

it("says states in the reader's language, also as options of a filter", () => {
  const zh = wordsOf<"states">(compiledPart("zh-CN", "states"), "zh-CN", "UTC");
  expect(predictionLook(zh, "failed")).toMatchObject({ label: "失败", tone: "bad", canCancel: false });
  expect(endpointLook(zh, { status: "enabled" }).meaning).toBe("端点会收到所订阅的事件");
  expect(predictionOptions(t).at(-1)).toEqual({ value: "canceled", label: "Canceled" });
  expect(predictionOptions(zh).at(-1)).toEqual({ value: "canceled", label: "已取消" });
});

it("allows exactly the transitions of the contract", () => {
  for (const status of predictionStatuses) {
    expect(predictionRules(status).terminal).toBe(isTerminal(status));
    expect(predictionRules(status).canCancel).toBe(predictionTransitions[status].includes("canceled"));
  }
  for (const status of copyStatuses)
    expect(copyRules(status).open).toBe(copyTransitions[status].some((next) => next !== "pending"));
  for (const status of deliveryStatuses)
    expect(deliveryRules(status).canRetry).toBe(retryableDeliveryStatuses.includes(status));
});

it.each([predictionLook, uploadLook, deliveryLook, endpointStatusLook, copyLook])(
  "shows an unknown status in a neutral tone with its raw text",
  (look) => {
    for (const status of ["paused_by_moon", "toString", "__proto__"])
      expect(look(t, status)).toMatchObject({ label: status, tone: "waiting" });
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
