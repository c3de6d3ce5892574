import type { Prediction } from "#contract/prediction.ts";
import type { Attempt, DeliveryDetail } from "#contract/webhook.ts";

export const startMs = Date.parse("2026-11-20T10:00:00.000Z");

/** The timestamp that is this many seconds after the start of every sample. */
export function at(seconds: number): string {
  return new Date(startMs + seconds * 1000).toISOString();
}

export function samplePrediction(over: Partial<Prediction> = {}): Prediction {
  return {
    id: "pred_01jd0000000000000000000001",
    object: "prediction",
    model: "svc/vid-t2v",
    api_type: "video-generation",
    status: "starting",
    poll_url: "",
    svc_region: "eu-frankfurt",
    urls: { get: "", cancel: "" },
    input: { prompt: "a lighthouse" },
    output: null,
    data: null,
    gated: null,
    error: null,
    metrics: { queue_time: null, predict_time: null, total_time: null },
    usage: null,
    cost: null,
    progress: null,
    created_at: at(0),
    started_at: null,
    completed_at: null,
    expires_at: null,
    data_removed: false,
    metadata: null,
    request_id: "req_1",
    sandbox: true,
    timeline: [{ at: at(0), event: "accepted", detail: null }],
    ...over,
  };
}

/** Queued for 2 s, ran for 10 s, stored for 24 h. */
export function finishedPrediction(over: Partial<Prediction> = {}): Prediction {
  return samplePrediction({
    status: "succeeded",
    started_at: at(2),
    completed_at: at(12),
    expires_at: at(12 + 86_400),
    metrics: { queue_time: 2, predict_time: 10, total_time: 12 },
    timeline: [
      { at: at(0), event: "accepted", detail: null },
      { at: at(0), event: "queued", detail: null },
      { at: at(2), event: "started", detail: null },
      { at: at(2.5), event: "provider_accepted", detail: { provider: "sandbox" } },
      { at: at(11.5), event: "output_stored", detail: { size_bytes: 1200 } },
      { at: at(12), event: "succeeded", detail: null },
      { at: at(12), event: "event_emitted", detail: { event_id: "evt_1" } },
    ],
    ...over,
  });
}

export function sampleAttempt(number: number, seconds: number, over: Partial<Attempt> = {}): Attempt {
  return {
    id: `att_${number}`,
    number,
    started_at: at(seconds),
    duration_ms: 80,
    url: "https://hooks.example.com/in",
    remote_ip: "203.0.114.7",
    request_headers: {},
    request_body: null,
    response_status: 503,
    response_headers: {},
    response_body: "",
    response_body_truncated: false,
    error_code: "http_5xx",
    error_detail: null,
    timings: {},
    ...over,
  };
}

export function sampleDelivery(over: Partial<DeliveryDetail> = {}): DeliveryDetail {
  return {
    id: "dlv_1",
    object: "webhook.delivery",
    event_id: "evt_1",
    event_type: "prediction.succeeded",
    endpoint_id: "we_1",
    endpoint_description: null,
    url: "https://hooks.example.com/in",
    callback: false,
    prediction_id: "pred_01jd0000000000000000000001",
    status: "pending",
    trigger: "automatic",
    attempts: 0,
    max_attempts: 8,
    last_error: null,
    last_status_code: null,
    next_attempt_at: null,
    waits_for: null,
    created_at: at(12),
    delivered_at: null,
    retry_of: null,
    retried_as: null,
    gated: null,
    attempt_log: [],
    ...over,
  };
}
