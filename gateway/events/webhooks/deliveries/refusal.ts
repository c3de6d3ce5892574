import { type DeliveryStatus, retryableDeliveryStatuses } from "#contract/webhook.ts";
import { stopHeader } from "#contract/webhook-constants.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { isReceiving } from "../callbacks.ts";

/** The facts that decide whether a delivery may be retried manually. */
export interface RetryCandidate {
  status: string;
  endpointStatus: string;
  endpointDeleted: boolean;
  payloadKept: boolean;
}

/** Further facts for the refusal's message. */
interface RefusedCandidate extends RetryCandidate {
  endpointId: string;
  /** Why its endpoint is disabled. */
  disabledReason: string | null;
}

type RefusalCode = "delivery_not_retryable" | "endpoint_disabled" | "payload_purged";

/** Failed deliveries are retried; delivered ones are resent. */
export const sendable = { retry: retryableDeliveryStatuses, resend: ["delivered"] } as const satisfies Record<
  string,
  readonly DeliveryStatus[]
>;
export type SendingAgain = keyof typeof sendable;

/** Why a delivery cannot be sent again; null if it can. */
export function retryRefusal(candidate: RetryCandidate, what: SendingAgain = "retry"): RefusalCode | null {
  if (candidate.status === "waiting" && !candidate.endpointDeleted) return "endpoint_disabled";
  const retryable = (sendable[what] as readonly string[]).includes(candidate.status);
  if (!retryable || candidate.endpointDeleted) return "delivery_not_retryable";
  if (!candidate.payloadKept) return "payload_purged";
  return isReceiving(candidate.endpointStatus) ? null : "endpoint_disabled";
}

/** The refusal as an error that says what to do. */
export function refusedRetry(
  code: RefusalCode,
  candidate: RefusedCandidate,
  what: SendingAgain = "retry",
): ApiError {
  switch (code) {
    case "payload_purged":
      return new ApiError(
        code,
        "The payload was removed after its retention period. Read the prediction instead.",
      );
    case "endpoint_disabled":
      return new ApiError(
        code,
        `${whyWaiting(candidate)} Its deliveries are waiting. To send them, enable it on its page in the console or with PATCH /v1/webhooks/endpoints/${candidate.endpointId} {"status": "enabled"}.`,
      );
    case "delivery_not_retryable":
      return new ApiError(
        code,
        candidate.endpointDeleted
          ? "The endpoint of this delivery was deleted."
          : what === "retry"
            ? `Only failed and dead-letter deliveries can be retried; this one is ${candidate.status}.`
            : `Only delivered events can be sent again here; this one is ${candidate.status}. Use …/retry for one that failed.`,
      );
  }
}

function whyWaiting({ endpointStatus, disabledReason }: RefusedCandidate): string {
  if (endpointStatus === "paused") return "The endpoint is paused.";
  if (disabledReason === "gone")
    return "The endpoint was disabled because its receiver answered 410 Gone several times in a row.";
  if (disabledReason === "stopped")
    return `The endpoint was disabled because its receiver answered with ${stopHeader.name}: ${stopHeader.value}.`;
  if (endpointStatus === "auto-disabled")
    return "The endpoint was disabled because every attempt failed for days.";
  return "The endpoint is disabled.";
}
