import { expect, it } from "vitest";
import type { RequestDetail } from "#contract/usage.ts";
import { english } from "@/scripts/testing/english";
import { courseOf } from "./request-course.ts";
import { requestSummary } from "./request-summary.ts";

const t = english("requests");

const answered: RequestDetail = {
  ...{ id: "req_1", object: "request", at: "2026-11-20T10:00:00Z", method: "POST" },
  ...{ route: "/v1/chat/completions", status: 200, code: null, model: "svc/chat-1", region: "us-virginia" },
  ...{ alias: null, metadata: null, key_id: "key_1", user_id: null, duration_ms: 500, count: 1 },
  ...{ run_id: "gen_1", cost: { amount: "0.25", currency: "USD", reason: null }, usage: null },
  ...{ provider: "acme", bytes_in: 80, bytes_out: 200, tokens_out: null, asked_ms: 20, first_ms: null },
  ...{ answered_ms: 490, upstream_key: null, failed_tries: [], guards: [] },
};
const failedTry = (provider: string, ms: number, reason: "down" | "busy" | null) => ({
  ...{ provider, model: "svc/chat-1", region: "us-virginia", key: null, status: 503 },
  ...{ code: "service_unavailable", duration_ms: ms, reason },
});
const both = (more: Partial<RequestDetail>) => {
  const request = { ...answered, ...more } as RequestDetail;
  const course = courseOf(t, request).map(({ name, fromMs, ms, kind }) => [name, fromMs, ms, kind]);
  return { course, summary: requestSummary(t, request) };
};

it("of an answer: the gateway's checks, the provider, and the rest", () => {
  expect(both({})).toEqual({
    course: [
      ["Checked by the gateway", 0, 20, "gateway"],
      ["acme", 20, 470, "provider"],
      ["Stored and sent", 490, 10, "gateway"],
    ],
    summary: "Answered by acme in 500 ms. It cost 0.25 USD.",
  });
});

it("of a stream: the time until its first token, and the rest of the stream", () => {
  const { course, summary } = both({ first_ms: 120, cost: null });
  expect(course.slice(1, 3)).toEqual([
    ["acme", 20, 100, "provider"],
    ["Stream", 120, 370, "stream"],
  ]);
  expect(summary).toBe("Answered by acme in 500 ms; the first token came after 120 ms.");
});

it("of an answer after failed tries: each try in its place", () => {
  expect(
    both({ asked_ms: 300, failed_tries: [failedTry("first", 100, "down"), failedTry("second", 50, "busy")] }),
  ).toEqual({
    course: [
      ["Checked by the gateway, and waited between tries", 0, 150, "gateway"],
      ["first", 150, 100, "failed"],
      ["second", 250, 50, "failed"],
      ["acme", 300, 190, "provider"],
      ["Stored and sent", 490, 10, "gateway"],
    ],
    summary: "Answered by acme in 500 ms, after 2 failed tries. It cost 0.25 USD.",
  });
});

it("of a request for which every try failed: the last try is not counted twice", () => {
  const failed_tries = [failedTry("first", 100, "down"), failedTry("acme", 50, null)];
  const failed = { status: 503, code: "service_unavailable", answered_ms: null, cost: null };
  expect(both({ ...failed, asked_ms: 440, failed_tries })).toEqual({
    course: [
      ["Checked by the gateway, and waited between tries", 0, 350, "gateway"],
      ["first", 350, 100, "failed"],
      ["acme", 450, 50, "failed"],
    ],
    summary: "Both tries failed after 500 ms. Nothing was charged.",
  });
});

it("of a refused request: only the gateway's checks", () => {
  const refused = { status: 403, code: "model_not_allowed", run_id: null, provider: null, cost: null };
  expect(both({ ...refused, asked_ms: null, answered_ms: null })).toEqual({
    course: [["Checked and answered by the gateway", 0, 500, "gateway"]],
    summary: "Refused by the gateway after 500 ms, before any provider was asked. Nothing was charged.",
  });
});

it("of a caller who left, an accepted prediction, and a request for no model", () => {
  expect(both({ status: 499, cost: null }).summary).toMatch(/^The caller left after 500 ms/);
  expect(both({ status: 202, run_id: "pred_1", cost: null }).summary).toMatch(/continues as a prediction/);
  const plain = { asked_ms: null, answered_ms: null, provider: null, run_id: null, model: null, cost: null };
  expect(both(plain).summary).toBe("Answered by the gateway in 500 ms.");
  expect(both({ ...plain, status: 404 }).summary).toBe("Refused by the gateway after 500 ms.");
});
