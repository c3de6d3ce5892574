import { describe, expect, it } from "vitest";
import type { Prediction } from "#contract/prediction.ts";
import type { RequestRow } from "#contract/usage.ts";
import type { Delivery } from "#contract/webhook.ts";
import { loadFailureWords } from "@/lib/status/failure-words";
import { english } from "@/scripts/testing/english";
import { deliveryEntry, type Entry, historyOf, predictionEntry, requestEntry } from "./history.ts";

const said = {
  metadata: english("metadata"),
  webhooks: english("webhooks"),
  failures: await loadFailureWords("en"),
};
const at = (minute: number) => `2026-11-20T10:0${minute}:00Z`;
const request = (id: string, minute: number, more: object) =>
  requestEntry(said, {
    id,
    at: at(minute),
    route: "/v1/chat/completions",
    model: null,
    run_id: null,
    ...more,
  } as RequestRow);
const prediction = (id: string, minute: number, more: object) =>
  predictionEntry(said, {
    id,
    created_at: at(minute),
    model: "svc/vid-t2v",
    input: null,
    error: null,
    ...more,
  } as Prediction);
const delivery = (id: string, minute: number, more: object) =>
  deliveryEntry(said, {
    ...{ id, created_at: at(minute), event_type: "prediction.succeeded", url: "https://acme.example/hook" },
    ...{ last_error: null, last_status_code: null, ...more },
  } as Delivery);
const list = (data: Entry[], has_more = false) => ({ data, has_more });

describe("the history of one customer", () => {
  const requests = [
    request("req_2", 4, { status: 400, code: "invalid_json", message: "The body is not JSON." }),
    request("req_1", 1, { status: 202, code: null, run_id: "pred_1" }),
  ];
  const predictions = [prediction("pred_1", 1, { status: "failed", error: { message: "Out of frames." } })];
  const deliveries = [
    delivery("dlv_2", 3, { status: "dead-letter", last_status_code: 500 }),
    delivery("dlv_1", 2, { status: "delivered", last_status_code: 200 }),
  ];

  it("is all lists by time, each failure with its reason, and no run twice", () => {
    const { entries, isWhole } = historyOf([list(requests), list(predictions), list(deliveries)]);
    expect(entries.map(({ id, reason }) => [id, reason])).toEqual([
      ["req_2", "The body is not JSON."],
      ["dlv_2", "The receiver answered 500"],
      ["dlv_1", null],
      ["pred_1", "Out of frames."],
    ]);
    expect(isWhole).toBe(true);
  });

  it("ends where a list was cut, because its older rows lie between those of the others", () => {
    const { entries, isWhole } = historyOf([list(requests), list(predictions), list(deliveries, true)]);
    expect(entries.map(({ id }) => id)).toEqual(["req_2", "dlv_2", "dlv_1"]);
    expect(isWhole).toBe(false);
  });

  it("shows the request of a prediction that is not listed", () => {
    expect(historyOf([list(requests)]).entries.map(({ id }) => id)).toEqual(["req_2", "req_1"]);
  });

  it("gives reasons in the reader's language, and the gateway's words for a code without any", async () => {
    const chinese = { ...said, failures: await loadFailureWords("zh-CN") };
    const failed = { id: "pred_3", model: "svc/vid-t2v", status: "failed", created_at: at(1) } as Prediction;
    const reasonOf = (code: string) =>
      predictionEntry(chinese, { ...failed, error: { code, message: "It said no." } } as Prediction).reason;
    expect(reasonOf("content_blocked")).toBe("护栏拦截了此次运行");
    expect(reasonOf("not_a_code_yet")).toBe("It said no.");
  });
});
