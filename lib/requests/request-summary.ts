import type { RequestDetail } from "#contract/usage.ts";
import { betweenSentences } from "../../messages/marks.ts";
import type { Words } from "../../messages/words.ts";
import { formatDuration } from "../format.ts";
import { formatMoney } from "../money.ts";
import { failedTryCount } from "./request-course.ts";

/** nginx's status for a client that disconnected. */
const clientLeft = 499;

/** What happened to a request, in one or two sentences: who answered it, when, after how many tries, and what it cost. */
export function requestSummary(t: Words<"requests">, request: RequestDetail): string {
  return [outcome(t, request), price(t, request)].filter(Boolean).join(betweenSentences(t.language));
}

function outcome(t: Words<"requests">, request: RequestDetail): string {
  const { status, provider, run_id: runId, asked_ms, first_ms, failed_tries: failed } = request;
  const duration = formatDuration(request.duration_ms, t.language);
  if (status === clientLeft) return t("callerLeft", { duration });
  if (status >= 400) {
    const tries = failedTryCount(request);
    if (tries > 0) return t("triesFailed", { tries, duration });
    if (asked_ms !== null) return t("failedAfter", { duration });
    return t("refusedByGateway", { duration, isForModel: asksForModel(request) ? "yes" : "no" });
  }
  if (runId?.startsWith("pred_")) return t("acceptedAsPrediction", { duration });
  if (provider === null) return t("answeredIn", { duration });
  return t("providerAnswered", {
    provider,
    duration,
    tries: failed.length,
    isStream: first_ms === null ? "no" : "yes",
    first: first_ms === null ? "" : formatDuration(first_ms, t.language),
  });
}

function asksForModel({ model, wanted_model: wanted, run_id: runId }: RequestDetail): boolean {
  return Boolean(model ?? wanted ?? runId);
}

function price(t: Words<"requests">, request: RequestDetail): string | null {
  const { status, cost, usage } = request;
  if (cost?.amount) return t("itCost", { cost: formatMoney(cost.amount, cost.currency) });
  if (status >= 400 && asksForModel(request) && usage === null && cost === null) return t("nothingCharged");
  return null;
}
