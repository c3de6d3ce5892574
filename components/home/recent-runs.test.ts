import { expect, it } from "vitest";
import type { Prediction } from "#contract/prediction.ts";
import type { RequestRow } from "#contract/usage.ts";
import { recentRuns } from "./recent-runs.tsx";

const prediction = (id: string, created_at: string) =>
  ({ id, model: "svc/vid-t2v", status: "processing", input: null, created_at, metrics: {} }) as Prediction;
const request = (id: string, at: string, more: object) =>
  ({
    id,
    at,
    model: "svc/chat-1",
    route: "/v1/chat/completions",
    status: 200,
    code: null,
    ...more,
  }) as RequestRow;

it("shows chats and predictions together, the newest first, and no run twice", () => {
  const runs = recentRuns(
    [prediction("pred_2", "2026-11-20T10:02:00Z"), prediction("pred_1", "2026-11-20T10:00:00Z")],
    [
      request("req_4", "2026-11-20T10:03:00Z", { run_id: "gen_3", status: 502, code: "upstream_error" }),
      request("req_3", "2026-11-20T10:02:00Z", { run_id: "pred_2", status: 202 }),
      request("req_2", "2026-11-20T10:01:00Z", { run_id: "gen_2", status: 499 }),
      request("req_1", "2026-11-20T09:00:00Z", { run_id: "gen_1" }),
    ],
    4,
  );
  expect(runs.map(({ href, status }) => [href, status])).toEqual([
    ["/requests/req_4", "failed"],
    ["/predictions/pred_2", "processing"],
    ["/requests/req_2", "canceled"],
    ["/predictions/pred_1", "processing"],
  ]);
});
