"use client";

import { CircleAlert, Columns2 } from "lucide-react";
import type { ReactNode } from "react";
import type { RequestDetail, UpstreamKey } from "#contract/usage.ts";
import { AskedGuards } from "@/components/guards/asked-guards";
import { LinkButton } from "@/components/ui/button";
import { FactList, type FactRow } from "@/components/ui/fact-list";
import { IdChip } from "@/components/ui/id-chip";
import { Neighbours, RowSteps } from "@/components/ui/list/neighbours";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { classNames } from "@/components/ui/looks";
import { MetadataPairs } from "@/components/ui/metadata-pairs";
import { Money } from "@/components/ui/money";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { WithBreaks } from "@/components/ui/with-breaks";
import { callRoute } from "@/lib/browser/gateway";
import { formatBytes, formatCount, formatDuration } from "@/lib/format";
import { describeReasons } from "@/lib/go-on-when";
import type { ViewOf } from "@/lib/list-view";
import { requestList } from "@/lib/lists";
import { queryKeys } from "@/lib/query-keys";
import { compareRequestsHref } from "@/lib/requests/compare-href";
import type { RequestAdvice } from "@/lib/requests/request-advice";
import { RequestContents } from "./request-contents.tsx";
import { RequestCaller, WantedModel } from "./request-parts.tsx";

interface RequestReportProps {
  request: RequestDetail;
  /** Null if the request succeeded. */
  advice: RequestAdvice | null;
  /** The names of keys and members, by id. */
  names: Record<string, string>;
  /** The list that the reader came from, with its filters. */
  view: ViewOf<typeof requestList>;
  accountId: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** Why the request failed, its facts, the duration of each step, and the upstreams that were tried. */
export function RequestReport({ request, advice, names, view, ...place }: RequestReportProps) {
  const { run_id: runId, model, status, code } = request;
  const isPrediction = runId?.startsWith("pred_") ?? false;
  return (
    <>
      <PageHeader
        title={
          <span>
            {request.method} <WithBreaks text={request.route} before="/" />
          </span>
        }
        description={code ? `Answered ${status}, ${code}` : `Answered ${status}`}
        actions={
          <>
            {view.said === "" ? (
              <Neighbours
                noun="request"
                list="/requests"
                search={requestList.searchOf(view)}
                id={request.id}
                queryKey={queryKeys.requests}
                read={(side, signal) =>
                  callRoute("GET /requests", {
                    query: { ...requestList.filterOf(view, Date.now()), ...side },
                    signal,
                  })
                }
              />
            ) : (
              // The list of requests does not know which of them have the words.
              <RowSteps
                noun="request"
                list={`/requests${requestList.searchOf(view)}`}
                newer={null}
                older={null}
              />
            )}
            <LinkButton href={compareRequestsHref([request.id])} icon={<Columns2 size={16} aria-hidden />}>
              Compare with…
            </LinkButton>
            {isPrediction && (
              <LinkButton variant="primary" href={`/predictions/${runId}`}>
                Open the prediction
              </LinkButton>
            )}
          </>
        }
      />
      {advice && <Answer request={request} advice={advice} />}
      <RequestContents request={request} {...place} />
      <div className="grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
        <div className="min-w-0">
          <Section title="Steps">
            <RowsTable label="Steps" rows={stepsOf(request)} columns={stepColumns} />
          </Section>
          {(request.provider || request.failed_tries.length > 0) && (
            <Section title="Upstreams that were tried">
              <RowsTable label="Upstreams that were tried" rows={triesOf(request)} columns={tryColumns} />
            </Section>
          )}
          {request.guards.length > 0 && <AskedGuards guards={request.guards} />}
        </div>
        <Section title="Request">
          <FactList
            rows={[
              ["Request id", <IdChip key="id" id={request.id} whole />],
              ["When", <Time key="at" value={request.at} mode="absolute" />],
              ["By", <RequestCaller key="by" request={request} names={names} />],
              fact("Run", runId && <IdChip id={runId} />),
              fact("Run again", runId && request.contents !== "kept" && againText(isPrediction)),
              model === null && request.wanted_model
                ? ["Wanted model", <WantedModel key="wanted" name={request.wanted_model} />]
                : fact("Model", model && request.alias ? `${model}, as ${request.alias}` : model),
              fact("Region", request.region),
              ["Received", sizeText(request.bytes_in)],
              ["Sent", sizeText(request.bytes_out)],
              fact("Usage", request.usage && usageText(request.usage, request.tokens_out)),
              fact("Key of the provider", request.upstream_key && keyText(request.upstream_key)),
              fact("Cost", request.cost && <Money {...request.cost} />),
              fact("Caller’s id", request.client_request_id),
              fact(
                "Conversation",
                request.conversation && (
                  <Link
                    href={`/requests?conversation=${request.conversation}`}
                    className="text-accent hover:underline"
                  >
                    Its requests
                  </Link>
                ),
              ),
              fact("Metadata", request.metadata && <MetadataPairs metadata={request.metadata} />),
            ]}
          />
        </Section>
      </div>
    </>
  );
}

/** The sentence that the caller got, the parameter that it names, and what to do next. */
function Answer({ request, advice }: Pick<RequestReportProps, "request"> & { advice: RequestAdvice }) {
  const { status, message, param } = request;
  const isOurs = status >= 500;
  return (
    <section
      aria-label="Why it failed"
      className={classNames(
        "mb-6 flex flex-wrap items-start gap-3 rounded-panel border p-4",
        isOurs ? "border-bad bg-bad-soft" : "border-warn bg-warn-soft",
      )}
    >
      <CircleAlert
        size={18}
        aria-hidden
        className={classNames("mt-0.5", isOurs ? "text-bad" : "text-warn")}
      />
      <div className="min-w-0 flex-1 basis-56">
        {message && <p className="font-semibold wrap-anywhere">{message}</p>}
        {param && (
          <p className="mt-1 text-table">
            Parameter: <code className="wrap-anywhere">{param}</code>
          </p>
        )}
        <p className="mt-1">{advice.text}</p>
      </div>
      {advice.action && (
        <LinkButton size="sm" href={advice.action.href}>
          {advice.action.label}
        </LinkButton>
      )}
    </section>
  );
}

interface Step {
  id: string;
  name: string;
  ms: number;
}

/** The steps in order; together they add up to the duration. */
function stepsOf({ duration_ms, asked_ms, first_ms, answered_ms, failed_tries }: RequestDetail): Step[] {
  const failedMs = failed_tries.reduce((sum, { duration_ms: ms }) => sum + ms, 0);
  if (asked_ms === null) return [{ id: "all", name: "Checked and answered by the gateway", ms: duration_ms }];
  const begunMs = first_ms ?? answered_ms ?? duration_ms;
  const endMs = answered_ms ?? duration_ms;
  const steps = [
    {
      id: "checks",
      name:
        failed_tries.length === 0
          ? "Checked by the gateway"
          : "Checked by the gateway, and waited between tries",
      ms: asked_ms - failedMs,
    },
    { id: "failed", name: "Upstreams that failed", ms: failedMs },
    {
      id: "upstream",
      name: first_ms === null ? "Upstream" : "Upstream, until its first token",
      ms: begunMs - asked_ms,
    },
    { id: "stream", name: "Stream", ms: endMs - begunMs },
    { id: "rest", name: "Stored and sent", ms: duration_ms - endMs },
  ];
  const all = { id: "all", name: "In all", ms: duration_ms };
  return [...steps.filter(({ id, ms }) => ms > 0.05 || id === "checks"), all].map((step) => ({
    ...step,
    ms: Math.max(0, step.ms),
  }));
}

const stepColumns: readonly Column<Step>[] = [
  { head: "Step", cell: ({ name }) => name },
  { head: "Time", numeric: true, cell: ({ ms }) => formatDuration(ms) },
];

interface Try {
  id: string;
  provider: string;
  where: string;
  answer: string;
  /** What the gateway did after this try. */
  next: string;
  ms: number | null;
}

function triesOf(request: RequestDetail): Try[] {
  const { provider, model, region, code, asked_ms, answered_ms, first_ms } = request;
  const failed = request.failed_tries.map((one, index) => ({
    id: String(index),
    provider: one.provider,
    where: [one.model, one.region, one.key && `key ${one.key}`].filter(Boolean).join(", "),
    answer: one.status === null ? one.code : `${one.status}, ${one.code}`,
    next:
      one.reason == null
        ? "Nothing"
        : `Retried or tried elsewhere, because this upstream ${describeReasons([one.reason])}`,
    ms: one.duration_ms,
  }));
  if (provider === null || (answered_ms === null && first_ms === null)) return failed;
  const failure = code?.startsWith("upstream_") ? code : null;
  const last = {
    id: "last",
    provider,
    where: [model, region].filter(Boolean).join(", "),
    answer: failure ?? "Answered",
    next: failure === null ? "Sent to the caller" : "Nothing",
    ms: (answered_ms ?? request.duration_ms) - (asked_ms ?? 0),
  };
  return [...failed, last];
}

const tryColumns: readonly Column<Try>[] = [
  { head: "Provider", cellClass: "wrap-anywhere", cell: ({ provider }) => provider },
  { head: "Where", from: "tablet", cell: ({ where }) => where },
  { head: "Answer", cellClass: "wrap-anywhere", cell: ({ answer }) => answer },
  { head: "Then", from: "tablet", cell: ({ next }) => next },
  { head: "Time", numeric: true, cell: ({ ms }) => (ms === null ? "–" : formatDuration(ms)) },
];

/** Left out without a value. */
function fact(name: string, value: ReactNode): FactRow | null {
  return value ? [name, value] : null;
}

function sizeText(bytes: number | null): string {
  return bytes === null ? "Unknown" : formatBytes(bytes);
}

const choiceTexts: Record<UpstreamKey["chosen"], string> = {
  stays: "stays with the conversation",
  drawn: "drawn for this request",
  favourite_resting: "the conversation's own key or route is resting",
};

function keyText({ name, chosen }: UpstreamKey): string {
  return `${name}: ${choiceTexts[chosen]}`;
}

function usageText(usage: NonNullable<RequestDetail["usage"]>, out: number | null): string {
  const all = formatCount(usage.quantity, usage.unit);
  return out === null ? all : `${all}, ${formatCount(out, "token")} of them output`;
}

function againText(isPrediction: boolean): string {
  return isPrediction
    ? "Open its prediction, as long as the input is stored"
    : "Not possible: the input of an answered request is not stored";
}
