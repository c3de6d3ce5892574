"use client";

import { CircleAlert, Columns2 } from "lucide-react";
import type { ReactNode } from "react";
import type { RequestDetail, UpstreamKey } from "#contract/usage.ts";
import { useWords } from "#words";
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
import { formatBytes, formatDuration } from "@/lib/format";
import type { ViewOf } from "@/lib/list-view";
import { queryKeys } from "@/lib/query-keys";
import { requestList } from "@/lib/request-list";
import { compareRequestsHref } from "@/lib/requests/compare-href";
import type { RequestAdvice } from "@/lib/requests/request-advice";
import { usageLabel } from "@/lib/usage-label";
import { listText } from "@/lib/words/list-text";
import type { Key, Words } from "@/messages/words";
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
  const t = useWords("requests");
  const amounts = useWords("amounts");
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
        description={code ? t("answeredStatusCode", { status, code }) : t("answeredStatus", { status })}
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
              {t("compareWith")}
            </LinkButton>
            {isPrediction && (
              <LinkButton variant="primary" href={`/predictions/${runId}`}>
                {t("openThePrediction")}
              </LinkButton>
            )}
          </>
        }
      />
      {advice && <Answer request={request} advice={advice} />}
      <RequestContents request={request} {...place} />
      <div className="grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
        <div className="min-w-0">
          <Section title={t("steps")}>
            <RowsTable label={t("steps")} rows={stepsOf(t, request)} columns={stepColumns(t)} />
          </Section>
          {(request.provider || request.failed_tries.length > 0) && (
            <Section title={t("upstreamsThatWereTried")}>
              <RowsTable
                label={t("upstreamsThatWereTried")}
                rows={triesOf(t, request)}
                columns={tryColumns(t)}
              />
            </Section>
          )}
          {request.guards.length > 0 && <AskedGuards guards={request.guards} />}
        </div>
        <Section title={t("request")}>
          <FactList
            rows={[
              [t("requestId"), <IdChip key="id" id={request.id} whole />],
              [t("when"), <Time key="at" value={request.at} mode="absolute" />],
              [t("by"), <RequestCaller key="by" request={request} names={names} />],
              fact(t("run"), runId && <IdChip id={runId} />),
              fact(
                t("runAgain"),
                runId && request.contents !== "kept" && t(isPrediction ? "againFromPrediction" : "notAgain"),
              ),
              model === null && request.wanted_model
                ? [t("wantedModel"), <WantedModel key="wanted" name={request.wanted_model} />]
                : fact(
                    t("model"),
                    model && request.alias ? t("modelAs", { model, alias: request.alias }) : model,
                  ),
              fact(t("region"), request.region),
              [t("received"), sizeText(t, request.bytes_in)],
              [t("sent"), sizeText(t, request.bytes_out)],
              fact(t("usage"), request.usage && usageText(t, amounts, request.usage, request.tokens_out)),
              fact(t("keyOfTheProvider"), request.upstream_key && keyText(t, request.upstream_key)),
              fact(t("cost"), request.cost && <Money {...request.cost} />),
              fact(t("callersId"), request.client_request_id),
              fact(
                t("conversation"),
                request.conversation && (
                  <Link
                    href={`/requests?conversation=${request.conversation}`}
                    className="text-accent hover:underline"
                  >
                    {t("itsRequests")}
                  </Link>
                ),
              ),
              fact(t("metadata"), request.metadata && <MetadataPairs metadata={request.metadata} />),
            ]}
          />
        </Section>
      </div>
    </>
  );
}

/** The sentence that the caller got, the parameter that it names, and what to do next. */
function Answer({ request, advice }: Pick<RequestReportProps, "request"> & { advice: RequestAdvice }) {
  const t = useWords("requests");
  const { status, message, param } = request;
  const isOurs = status >= 500;
  return (
    <section
      aria-label={t("whyItFailed")}
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
        {message && (
          <p lang="en" className="font-semibold wrap-anywhere">
            {message}
          </p>
        )}
        {param && (
          <p className="mt-1 text-table">
            {t.rich(
              "parameter",
              { param },
              {
                code: (content) => (
                  <code key="param" className="wrap-anywhere">
                    {content}
                  </code>
                ),
              },
            )}
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
function stepsOf(
  t: Words<"requests">,
  { duration_ms, asked_ms, first_ms, answered_ms, failed_tries }: RequestDetail,
): Step[] {
  const failedMs = failed_tries.reduce((sum, { duration_ms: ms }) => sum + ms, 0);
  if (asked_ms === null) return [{ id: "all", name: t("checkedAndAnswered"), ms: duration_ms }];
  const begunMs = first_ms ?? answered_ms ?? duration_ms;
  const endMs = answered_ms ?? duration_ms;
  const steps = [
    {
      id: "checks",
      name: failed_tries.length === 0 ? t("checkedByTheGateway") : t("checkedAndWaited"),
      ms: asked_ms - failedMs,
    },
    { id: "failed", name: t("upstreamsThatFailed"), ms: failedMs },
    {
      id: "upstream",
      name: first_ms === null ? t("upstream") : t("upstreamUntilFirstToken"),
      ms: begunMs - asked_ms,
    },
    { id: "stream", name: t("stream"), ms: endMs - begunMs },
    { id: "rest", name: t("storedAndSent"), ms: duration_ms - endMs },
  ];
  const all = { id: "all", name: t("inAll"), ms: duration_ms };
  return [...steps.filter(({ id, ms }) => ms > 0.05 || id === "checks"), all].map((step) => ({
    ...step,
    ms: Math.max(0, step.ms),
  }));
}

const stepColumns = (t: Words<"requests">): readonly Column<Step>[] => [
  { head: t("step"), cell: ({ name }) => name },
  { head: t("time"), numeric: true, cell: ({ ms }) => formatDuration(ms, t.language) },
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

function triesOf(t: Words<"requests">, request: RequestDetail): Try[] {
  const { provider, model, region, code, asked_ms, answered_ms, first_ms } = request;
  const failed = request.failed_tries.map((one, index) => ({
    id: String(index),
    provider: one.provider,
    where: listText(t.language, [one.model, one.region, one.key && t("keyNamed", { key: one.key })], "plain"),
    answer: one.status === null ? one.code : `${one.status}, ${one.code}`,
    next: one.reason == null ? t("nothingNext") : t("triedElsewhere", { reason: one.reason }),
    ms: one.duration_ms,
  }));
  if (provider === null || (answered_ms === null && first_ms === null)) return failed;
  const failure = code?.startsWith("upstream_") ? code : null;
  const last = {
    id: "last",
    provider,
    where: listText(t.language, [model, region], "plain"),
    answer: failure ?? t("answered"),
    next: failure === null ? t("sentToTheCaller") : t("nothingNext"),
    ms: (answered_ms ?? request.duration_ms) - (asked_ms ?? 0),
  };
  return [...failed, last];
}

const tryColumns = (t: Words<"requests">): readonly Column<Try>[] => [
  { head: t("provider"), cellClass: "wrap-anywhere", cell: ({ provider }) => provider },
  { head: t("where"), from: "tablet", cell: ({ where }) => where },
  { head: t("answer"), cellClass: "wrap-anywhere", cell: ({ answer }) => answer },
  { head: t("next"), from: "tablet", cell: ({ next }) => next },
  { head: t("time"), numeric: true, cell: ({ ms }) => (ms === null ? "–" : formatDuration(ms, t.language)) },
];

/** Left out without a value. */
function fact(name: string, value: ReactNode): FactRow | null {
  return value ? [name, value] : null;
}

function sizeText(t: Words<"requests">, bytes: number | null): string {
  return bytes === null ? t("unknown") : formatBytes(bytes);
}

const choiceTexts = {
  stays: "staysWithTheConversation",
  drawn: "drawnForThisRequest",
  favourite_resting: "favouriteIsResting",
} as const satisfies Record<UpstreamKey["chosen"], Key<"requests">>;

function keyText(t: Words<"requests">, { name, chosen }: UpstreamKey): string {
  return t("keyAndWhy", { name, why: t(choiceTexts[chosen]) });
}

function usageText(
  t: Words<"requests">,
  amounts: Words<"amounts">,
  usage: NonNullable<RequestDetail["usage"]>,
  out: number | null,
): string {
  const all = usageLabel(amounts, usage);
  return out === null ? all : t("ofThemOutput", { all, out });
}
