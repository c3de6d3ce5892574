import type { RequestDetail } from "#contract/usage.ts";
import type { Words } from "../../messages/words.ts";
import { listText } from "../words/list-text.ts";

/** A part of a request's time: the gateway's own work, a try at a provider, or the stream of an answer. */
export interface Phase {
  id: string;
  name: string;
  /** Of a try: the model, the region and the key of the provider. */
  where: string;
  /** Of a try that failed: the provider's status and the code. */
  failure: string | null;
  /** What the gateway did after a failed try. */
  next: string;
  fromMs: number;
  ms: number;
  kind: "gateway" | "failed" | "provider" | "stream";
}

/** A phase shorter than this is left out, unless it is the first. */
const minShownMs = 0.5;

/** The phases in order, each beginning where the one before ended. Together they take as long as the request. */
export function courseOf(t: Words<"requests">, request: RequestDetail): Phase[] {
  let fromMs = 0;
  return phasesOf(t, request).flatMap((phase, index) => {
    const ms = Math.max(0, phase.ms);
    if (index > 0 && ms <= minShownMs && phase.kind === "gateway") return [];
    const placed = { where: "", failure: null, next: "", ...phase, fromMs, ms };
    fromMs += ms;
    return [placed];
  });
}

type Unplaced = Pick<Phase, "id" | "name" | "ms" | "kind"> & Partial<Phase>;

/** Whether the tries that failed are all: the gateway gave up after the last one. */
function gaveUp({ first_ms, answered_ms, failed_tries: failed }: RequestDetail): boolean {
  return first_ms === null && answered_ms === null && failed.length > 0 && failed.at(-1)?.reason == null;
}

/** Whether the last provider that was asked is none of the failed tries. */
function hasLastProvider(request: RequestDetail): boolean {
  return request.asked_ms !== null && !gaveUp(request);
}

/** How many tries failed, with the last one. */
export function failedTryCount(request: RequestDetail): number {
  const isLastFailed = hasLastProvider(request) && isFailedByProvider(request);
  return request.failed_tries.length + (isLastFailed ? 1 : 0);
}

function isFailedByProvider({ code }: RequestDetail): boolean {
  return code?.startsWith("upstream_") ?? false;
}

function phasesOf(t: Words<"requests">, request: RequestDetail): Unplaced[] {
  const { duration_ms, asked_ms, first_ms, answered_ms, failed_tries: failed } = request;
  const tries = triesOf(t, request);
  const triesMs = failed.reduce((sum, { duration_ms: ms }) => sum + ms, 0);
  const isAsked = asked_ms !== null && hasLastProvider(request);
  const own: Unplaced = {
    id: "gateway",
    name: t(failed.length > 0 ? "checkedAndWaited" : isAsked ? "checkedByTheGateway" : "checkedAndAnswered"),
    ms: (isAsked ? asked_ms : duration_ms) - triesMs,
    kind: "gateway",
  };
  if (!isAsked) return [own, ...tries];
  const begunMs = first_ms ?? answered_ms ?? duration_ms;
  const endMs = answered_ms ?? duration_ms;
  const { provider, model, region, code, upstream_key: key } = request;
  const isFailed = isFailedByProvider(request);
  return [
    own,
    ...tries,
    {
      id: "provider",
      name: provider ?? t("upstream"),
      where: listText(t.language, [model, region, key && t("keyNamed", { key: key.name })], "plain"),
      failure: isFailed ? code : null,
      next: first_ms !== null ? t("firstTokenCame") : answered_ms !== null && !isFailed ? t("answered") : "",
      ms: begunMs - asked_ms,
      kind: isFailed && first_ms === null ? "failed" : "provider",
    },
    ...(first_ms === null
      ? []
      : [{ id: "stream", name: t("stream"), ms: endMs - begunMs, kind: "stream" } as const]),
    { id: "rest", name: t("storedAndSent"), ms: duration_ms - endMs, kind: "gateway" },
  ];
}

function triesOf(t: Words<"requests">, { failed_tries: failed }: RequestDetail): Unplaced[] {
  return failed.map(({ provider, model, region, key, status, code, reason, duration_ms: ms }, index) => ({
    id: `try ${index}`,
    name: provider,
    where: listText(t.language, [model, region, key && t("keyNamed", { key })], "plain"),
    failure: status === null ? code : `${status} ${code}`,
    next: reason == null ? "" : t("triedElsewhere", { reason }),
    ms,
    kind: "failed",
  }));
}
