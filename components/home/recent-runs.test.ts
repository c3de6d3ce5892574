import { expect, it } from "vitest";
import type { Batch } from "#contract/batches.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { RequestRow } from "#contract/usage.ts";
import { recentRuns } from "./recent-runs.tsx";

const prediction = (id: string, created_at: string, request_id: string | null = null) =>
  ({
    id,
    model: "svc/vid-t2v",
    status: "processing",
    input: null,
    created_at,
    request_id,
    metrics: { total_time: null },
  }) as Prediction;
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
    {
      batches: [],
      predictions: [
        prediction("pred_2", "2026-11-20T10:02:00Z"),
        prediction("pred_1", "2026-11-20T10:00:00Z"),
      ],
      requests: [
        request("req_4", "2026-11-20T10:03:00Z", { run_id: "gen_3", status: 502, code: "upstream_error" }),
        request("req_3", "2026-11-20T10:02:00Z", { run_id: "pred_2", status: 202 }),
        request("req_2", "2026-11-20T10:01:00Z", { run_id: "gen_2", status: 499 }),
        request("req_1", "2026-11-20T09:00:00Z", { run_id: "gen_1" }),
      ],
    },
    4,
  );
  expect(runs.map(({ href, status }) => [href, status])).toEqual([
    ["/requests/req_4", "failed"],
    ["/predictions/pred_2", "processing"],
    ["/requests/req_2", "canceled"],
    ["/predictions/pred_1", "processing"],
  ]);
});

it("shows a batch and a comparison as one line each, without the predictions of their rows", () => {
  const batch = {
    ...{ id: "batch_1", kind: "table", name: "Herons", model: "svc/vid-t2v", models: ["svc/vid-t2v"] },
    ...{ status: "finished", counts: { total: 40 }, request_id: "req_1" },
    ...{ created_at: "2026-11-20T10:00:00Z", finished_at: "2026-11-20T10:01:00Z" },
  } as Batch;
  const comparison = { ...batch, id: "batch_2", kind: "comparison", request_id: "req_2" } as Batch;
  const runs = recentRuns(
    {
      batches: [batch, comparison],
      predictions: [
        prediction("pred_1", "2026-11-20T10:00:10Z", "req_1"),
        prediction("pred_2", "2026-11-20T09:00:00Z", "req_0"),
      ],
      requests: [],
    },
    4,
  );
  expect(runs.map(({ href, batch, ms }) => [href, batch?.count, ms])).toEqual([
    ["/batches/batch_1", 40, 60_000],
    ["/compare/batch_2", 40, 60_000],
    ["/predictions/pred_2", undefined, null],
  ]);
});
