import { CircleAlert, Columns2 } from "lucide-react";
import type { ReactNode } from "react";
import type { RequestDetail, UpstreamKey } from "#contract/usage.ts";
import { useFormats, useWords } from "#words";
import { AskedGuards } from "@/components/guards/asked-guards";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { FactList, type FactRow } from "@/components/ui/fact-list";
import { IdChip } from "@/components/ui/id-chip";
import { classNames } from "@/components/ui/looks";
import { MetadataPairs } from "@/components/ui/metadata-pairs";
import { Money } from "@/components/ui/money";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { WithBreaks } from "@/components/ui/with-breaks";
import { formatBytes } from "@/lib/format";
import type { ViewOf } from "@/lib/list-view";
import type { requestList } from "@/lib/request-list";
import { compareRequestsHref } from "@/lib/requests/compare-href";
import type { RequestAdvice } from "@/lib/requests/request-advice";
import { requestSummary } from "@/lib/requests/request-summary";
import { usageLabel } from "@/lib/usage-label";
import { betweenSentences } from "@/messages/marks";
import type { Key, Words } from "@/messages/words";
import { RequestContents } from "./request-contents.tsx";
import { RequestCourse } from "./request-course.tsx";
import { RequestCaller, WantedModel } from "./request-parts.tsx";
import { RequestSteps } from "./request-steps.tsx";

interface RequestReportProps {
  request: RequestDetail;
  /** Null if the request succeeded. */
  advice: RequestAdvice | null;
  /** Why it failed, in the reader's language. Null in English, where the message says it. */
  reason: string | null;
  /** The names of keys and members, by id. */
  names: Record<string, string>;
  /** The list that the reader came from, with its filters. */
  view: ViewOf<typeof requestList>;
  accountId: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** What happened to a request: in a sentence, then what was asked and answered, where its time went, and its facts. */
export function RequestReport({ request, advice, reason, names, view, ...place }: RequestReportProps) {
  const t = useWords("requests");
  const { run_id: runId, status, code } = request;
  const isPrediction = runId?.startsWith("pred_") ?? false;
  const isKept = request.contents === "kept" && !isPrediction;
  const contents = <RequestContents request={request} {...place} />;
  const course = <RequestCourse request={request} />;
  const guards = request.guards.length > 0 && <AskedGuards guards={request.guards} />;
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-x-2">
            <span translate="no">
              {request.method} <WithBreaks text={request.route} before="/" />
            </span>{" "}
            <Badge tone={status < 400 ? "good" : status < 500 ? "warn" : "bad"}>
              <span translate="no" className="font-mono">
                {status}
                {code && ` ${code}`}
              </span>
            </Badge>
          </span>
        }
        description={requestSummary(t, request)}
        actions={
          <>
            <RequestSteps id={request.id} view={view} />
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
      {advice && <Answer request={request} advice={advice} reason={reason} />}
      {/* Without contents, the facts are beside the course of the request. */}
      <div className="grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
        <div className="min-w-0">
          {isKept ? (
            contents
          ) : (
            <>
              {course}
              {guards}
              {contents}
            </>
          )}
        </div>
        <div className="min-w-0">
          {isKept && course}
          <RequestFacts request={request} names={names} />
          {isKept && guards}
        </div>
      </div>
    </>
  );
}

function RequestFacts({ request, names }: Pick<RequestReportProps, "request" | "names">) {
  const t = useWords("requests");
  const amounts = useWords("amounts");
  const format = useFormats();
  const { run_id: runId, key_id: keyId, user_id: userId, model, contents } = request;
  const isPrediction = runId?.startsWith("pred_") ?? false;
  const bySameCaller = new URLSearchParams(keyId ? { key_id: keyId } : userId ? { user_id: userId } : {});
  return (
    <Section title={t("request")}>
      <FactList
        rows={[
          [
            t("when"),
            <time key="at" dateTime={request.at} className="tabular">
              {format.time(request.at)}
            </time>,
          ],
          [
            t("by"),
            <span key="by" className="flex flex-wrap items-baseline gap-x-3">
              <span>
                <RequestCaller request={request} names={names} />
              </span>
              {bySameCaller.size > 0 && (
                <Link href={`/requests?${bySameCaller}`} className="text-accent hover:underline">
                  {t("theirRequests")}
                </Link>
              )}
            </span>,
          ],
          model === null && request.wanted_model
            ? [t("wantedModel"), <WantedModel key="wanted" name={request.wanted_model} />]
            : fact(
                t("model"),
                model && (
                  <Link
                    href={`/catalog/${model.split("/").map(encodeURIComponent).join("/")}`}
                    className="text-accent hover:underline"
                  >
                    {request.alias ? t("modelAs", { model, alias: request.alias }) : model}
                  </Link>
                ),
              ),
          fact(t("region"), request.region),
          fact(t("usage"), request.usage && usageText(t, amounts, request.usage, request.tokens_out)),
          fact(t("cost"), request.cost && <Money {...request.cost} />),
          fact(t("keyOfTheProvider"), request.upstream_key && keyText(t, request.upstream_key)),
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
          fact(
            t("deliveries"),
            isPrediction && (
              <Link
                href={`/webhooks/deliveries?prediction_id=${runId}`}
                className="text-accent hover:underline"
              >
                {t("deliveriesOfPrediction")}
              </Link>
            ),
          ),
          fact(
            t("runAgain"),
            runId && contents !== "kept" && t(isPrediction ? "againFromPrediction" : "notAgain"),
          ),
          [t("received"), sizeText(t, request.bytes_in)],
          [t("sent"), sizeText(t, request.bytes_out)],
          [t("requestId"), <IdChip key="id" id={request.id} whole />],
          fact(
            t("run"),
            runId && <IdChip id={runId} {...(isPrediction && { href: `/predictions/${runId}` })} />,
          ),
        ]}
      />
    </Section>
  );
}

interface AnswerProps extends Pick<RequestReportProps, "request" | "reason"> {
  advice: RequestAdvice;
}

/** The sentence that the caller got, the parameter that it names, and what to do next. */
function Answer({ request, advice, reason }: AnswerProps) {
  const t = useWords("requests");
  const { status, code, message, param } = request;
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
        {reason && <p className="font-semibold">{reason}</p>}
        {message && (
          <p lang="en" className={classNames("wrap-anywhere", reason ? "text-table" : "font-semibold")}>
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
        <p className="mt-1">
          {advice.text}
          {betweenSentences(t.language)}
          {code && (
            <Link
              href={`/requests?${new URLSearchParams({ code, since: "24h" })}`}
              className="whitespace-nowrap underline underline-offset-2"
            >
              {t("sameCode")}
            </Link>
          )}
        </p>
      </div>
      {advice.action && (
        <LinkButton size="sm" href={advice.action.href}>
          {advice.action.label}
        </LinkButton>
      )}
    </section>
  );
}

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
