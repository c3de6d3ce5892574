"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight, CircleAlert, CircleCheck, CornerDownRight, Send } from "lucide-react";
import { useState } from "react";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { useWords } from "#words";
import { NotesSection } from "@/components/notes/notes-section";
import { StatusPill } from "@/components/ui/badge";
import { Countdown } from "@/components/ui/countdown";
import { FactList } from "@/components/ui/fact-list";
import { IdChip } from "@/components/ui/id-chip";
import { Neighbours } from "@/components/ui/list/neighbours";
import { classNames } from "@/components/ui/looks";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Duration } from "@/components/ui/quantity";
import { Time, useNow } from "@/components/ui/time";
import { WithBreaks } from "@/components/ui/with-breaks";
import { AnswerChip } from "@/components/webhooks/deliveries/answer-chip";
import { AttemptDetail } from "@/components/webhooks/deliveries/attempt-detail";
import { RetryButton } from "@/components/webhooks/deliveries/retry-button";
import { failureBehind, orThrow } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { formatDuration } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { deliveryLook, isDeliveryLive, isHeldBack } from "@/lib/status/delivery";
import { endpointAddress } from "@/lib/webhooks/addresses";
import { attemptTimeline, type TimelineStep } from "@/lib/webhooks/attempt-timeline";
import { browserStoryReads } from "@/lib/webhooks/browser-reads";
import { type DeliveryStory, loadDeliveryStory } from "@/lib/webhooks/delivery-story";
import { type DeliveryView, deliveryList } from "@/lib/webhooks/delivery-view";
import { errorLabel } from "@/lib/webhooks/error-labels";
import { errorRemedy } from "@/lib/webhooks/error-remedy";
import type { Key, Words } from "@/messages/words";

interface DeliveryClientProps {
  initial: DeliveryStory;
  /** The filter of the list from which the visitor came. */
  view: DeliveryView;
}

const livePollMs = 2000;

/** Load notes for at most this many of the event's other deliveries, the newest first. */
const othersWithNotes = 5;

const asSubject = ({ id }: { id: string }) => ({ kind: "delivery", id }) as const;

/**
 * One delivery: its event, all deliveries of that event to this endpoint, and each attempt with the response.
 */
export function DeliveryClient({ initial, view }: DeliveryClientProps) {
  const t = useWords("webhooks");
  const { id } = initial.delivery;
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.delivery(id), "story"],
    queryFn: async ({ client, queryKey }) => {
      const known = client.getQueryData<DeliveryStory>(queryKey)?.sends;
      return orThrow(await loadDeliveryStory(browserStoryReads, id, known));
    },
    initialData: initial,
    refetchInterval: ({ state }) =>
      state.status === "error" || state.data?.sends.some(isDeliveryLive) ? livePollMs : false,
  });
  const { delivery, sends, hasLogs } = data;
  const failure = failureBehind(error);
  const look = deliveryLook(useWords("states"), delivery.status);
  const isSuperseded = delivery.status === "failed" && delivery.retried_as !== null;
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">
              <WithBreaks
                text={t("eventTo", { type: delivery.event_type, address: endpointAddress(delivery.url) })}
                before="/"
              />
            </span>{" "}
            <StatusPill {...look} title={look.meaning} />
          </span>
        }
        description={isSuperseded ? t("deliveryWasRetried") : t("meaningOfStatus", { meaning: look.meaning })}
        actions={
          <>
            <Neighbours
              noun="delivery"
              list="/webhooks/deliveries"
              search={deliveryList.searchOf(view)}
              id={id}
              queryKey={queryKeys.deliveries}
              read={(side, signal) =>
                callRoute("GET /webhooks/deliveries", {
                  query: { ...deliveryList.filterOf(view, Date.now()), ...side },
                  signal,
                })
              }
            />
            <RetryButton
              delivery={delivery}
              size="md"
              variant={look.canRetry ? "primary" : "secondary"}
              follow
            />
          </>
        }
      />
      {failure && (
        <div className="mb-4">
          <ErrorPanel error={failure} onRetry={() => void refetch()} />
        </div>
      )}
      {delivery.status !== "delivered" && (
        <WhyItFailed delivery={sends.find((send) => send.id === id) ?? delivery} />
      )}
      <div className="grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
        <Section title={t("retriesAndAttempts")} description={t("theFirstDeliveryOfThis")}>
          {!hasLogs && (
            <p className="mb-3 rounded-control border bg-sunken px-3 py-2 text-table text-muted">
              {t("thisGatewayDoesNotProvide")}
            </p>
          )}
          <ol className="space-y-4">
            {sends.map((send, index) => (
              <SendTimeline
                key={send.id}
                send={send}
                isFirst={index === 0}
                isResend={sends.some((other) => other.id === send.retry_of && other.status === "delivered")}
                isShown={send.id === id}
              />
            ))}
          </ol>
        </Section>
        <div className="min-w-0">
          <DeliveryFacts delivery={delivery} />
          <NotesSection
            subject={{ kind: "delivery", id }}
            others={sends
              .filter((send) => send.id !== id)
              .slice(-othersWithNotes)
              .map(asSubject)}
          />
        </div>
      </div>
    </>
  );
}

const maxSaidLength = 300;

/** The answer to the last attempt, and how to fix it. */
function WhyItFailed({ delivery }: { delivery: Delivery | DeliveryDetail }) {
  const t = useWords("webhooks");
  const last = "attempt_log" in delivery ? delivery.attempt_log.at(-1) : undefined;
  if (!last?.error_code) return null;
  const { response_status: status, response_body: said, error_code: code } = last;
  return (
    <section
      aria-label={t("whyItFailed")}
      className="mb-6 flex items-start gap-3 rounded-panel border border-bad bg-bad-soft p-4"
    >
      <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-semibold">
          {status === null ? errorLabel(t, code) : t("receiverAnswered", { status: String(status) })}
        </p>
        {said?.trim() && <code className="mt-1 line-clamp-3 text-table">{said.slice(0, maxSaidLength)}</code>}
        <p className="mt-1 text-table">{errorRemedy(t, code)}</p>
      </div>
    </section>
  );
}

interface SendTimelineProps {
  send: Delivery | DeliveryDetail;
  isFirst: boolean;
  /** True when this delivery sends a delivered event again. */
  isResend?: boolean;
  /** True for the delivery of this page. */
  isShown: boolean;
}

const triggerTitles: Record<string, Key<"webhooks">> = {
  automatic: "firstDelivery",
  manual: "manualRetry",
  bulk: "bulkRetry",
  test: "testDelivery",
};

/** One delivery of the event: its attempts, the waits between them and the next attempt. */
function SendTimeline({ send, isFirst, isResend = false, isShown }: SendTimelineProps) {
  const t = useWords("webhooks");
  const look = deliveryLook(useWords("states"), send.status);
  const steps = attemptTimeline(send, "attempt_log" in send ? send.attempt_log : []);
  const lastAttempt = steps.findLast((step) => step.kind === "attempt");
  // At first, the last attempt of this page's delivery is open.
  const [opened, setOpened] = useState<Record<string, boolean>>({});
  const isOpen = (key: string) => opened[key] ?? (isShown && key === lastAttempt?.key);
  const Icon = isFirst ? Send : CornerDownRight;
  return (
    <li
      aria-current={isShown ? "true" : undefined}
      className={classNames("rounded-panel border bg-panel p-4", isShown && "border-accent")}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon size={16} aria-hidden className="text-muted" />
        <h3 className="text-base font-semibold">
          {isResend ? t("sentAgain") : t.text(triggerTitles[send.trigger] ?? "delivery")}
        </h3>
        <StatusPill {...look} title={look.meaning} />
        <span className="tabular text-table text-muted">
          {t("attemptsOfAttempts", { attempts: String(send.attempts), max: String(send.max_attempts) })}
        </span>
        <span className="text-table text-muted">
          <Time value={send.created_at} mode="absolute" />
        </span>
        {!isShown && <IdChip id={send.id} href={`/webhooks/deliveries/${send.id}`} />}
      </div>
      {steps.length > 0 && (
        <ol className="mt-3 ml-2 border-l pl-4">
          {steps.map((step, index) => (
            <TimelineStepItem
              key={step.key}
              step={step}
              before={steps[index - 1]}
              // The page begins with what the last attempt of its delivery was answered.
              isExplained={isShown && step === lastAttempt}
              send={send}
              isOpen={isOpen(step.key)}
              onToggle={() => setOpened({ ...opened, [step.key]: !isOpen(step.key) })}
            />
          ))}
        </ol>
      )}
    </li>
  );
}

interface TimelineStepItemProps {
  step: TimelineStep;
  before: TimelineStep | undefined;
  /** Whether the page says elsewhere why this attempt failed. */
  isExplained: boolean;
  send: Delivery;
  /** Whether the details of the attempt are shown. */
  isOpen: boolean;
  onToggle: () => void;
}

function TimelineStepItem({ step, before, isExplained, send, isOpen, onToggle }: TimelineStepItemProps) {
  const t = useWords("webhooks");
  // In the line of its attempt.
  if (step.kind === "wait") return null;
  if (step.kind === "attempt")
    return (
      <AttemptItem
        step={step}
        waitedMs={before?.kind === "wait" ? before.ms : null}
        isExplained={isExplained}
        isHidden={"gated" in send && Boolean(send.gated)}
        isOpen={isOpen}
        onToggle={onToggle}
      />
    );
  return (
    <li className="relative py-1.5 text-table text-muted">
      <span aria-hidden className="absolute top-1/2 -left-4 w-2.5 border-t" />
      {step.kind === "next" && (
        <>
          <span className="text-ink">
            {t.rich(
              "attemptIn",
              { number: String(step.number) },
              { countdown: () => <Countdown key="countdown" until={step.at} ended={t("aMoment")} /> },
            )}
          </span>
          {t.rich("attemptAt", {}, { time: () => <Time key="time" value={step.at} mode="absolute" /> })}
        </>
      )}
      {step.kind === "ended" && endText(t, step.status, send)}
    </li>
  );
}

type EndStatus = Extract<TimelineStep, { kind: "ended" }>["status"];

function endText(t: Words<"webhooks">, status: EndStatus, send: Delivery): string {
  if (status === "delivered") return t("endAccepted");
  if (status === "canceled") return t("endEndpointDeleted");
  if (status === "superseded") return t("endRetried");
  return t("endFailed", { attempts: String(send.max_attempts) });
}

interface AttemptItemProps {
  step: Extract<TimelineStep, { kind: "attempt" }>;
  /** The time since the attempt before. Null without one. */
  waitedMs: number | null;
  isExplained: boolean;
  /** True when the reader needs an attestation to see the request. */
  isHidden: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

/** An attempt as a line that opens to its request and response. */
function AttemptItem({ step, waitedMs, isExplained, isHidden, isOpen, onToggle }: AttemptItemProps) {
  const t = useWords("webhooks");
  const { attempt, succeeded } = step;
  const fix = attempt.error_code === null ? null : errorRemedy(t, attempt.error_code);
  return (
    <li className="relative py-1">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="-ml-1.5 flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-1.5 py-1 text-left hover:bg-sunken"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={classNames("text-muted transition-transform duration-150", isOpen && "rotate-90")}
        />
        {succeeded ? (
          <CircleCheck size={16} aria-hidden className="text-good" />
        ) : (
          <CircleAlert size={16} aria-hidden className="text-bad" />
        )}
        <span className="font-medium">{t("attemptNumber", { number: String(attempt.number) })}</span>
        <AnswerChip status={attempt.response_status} error={attempt.error_code} />
        <Duration ms={attempt.duration_ms} />
        <span className="text-table text-muted">
          <Time value={attempt.started_at} mode="absolute" />
        </span>
        {waitedMs !== null && (
          <span className="tabular text-table text-muted">
            {t("afterMs", { ms: formatDuration(waitedMs, t.language) })}
          </span>
        )}
      </button>
      {isOpen && (
        <div className="mt-2 mb-3 space-y-4 pl-1">
          {attempt.error_code !== null && !isExplained && (
            <p className="text-base text-ink wrap-anywhere">
              {fix ?? errorLabel(t, attempt.error_code)}
              <span className="block text-table text-muted">
                {t("errorDetail", {
                  label: errorLabel(t, attempt.error_code),
                  detail: attempt.error_detail ?? "",
                })}{" "}
                <code className="text-meta">{attempt.error_code}</code>
              </span>
            </p>
          )}
          <AttemptDetail attempt={attempt} isHidden={isHidden} />
        </div>
      )}
    </li>
  );
}

const secondMs = 1_000;

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const t = useWords("webhooks");
  const nowMs = useNow(delivery.waits_for === "rate" ? secondMs : null);
  // The server's clock may be on the other side of the moment.
  const isHydrated = useHydrated();
  return (
    <div className="mb-8">
      <FactList
        rows={[
          [
            t("event"),
            <IdChip
              key="event"
              id={delivery.event_id}
              href={`/webhooks/deliveries?event_id=${delivery.event_id}`}
              whole
            />,
          ],
          delivery.prediction_id === null
            ? null
            : [
                t("prediction"),
                <IdChip
                  key="prediction"
                  id={delivery.prediction_id}
                  href={`/predictions/${delivery.prediction_id}`}
                  whole
                />,
              ],
          delivery.callback
            ? null
            : [
                t("endpoint"),
                delivery.endpoint_description ? (
                  <Link
                    key="endpoint"
                    href={`/webhooks/endpoints/${delivery.endpoint_id}`}
                    className="text-accent hover:underline"
                  >
                    {delivery.endpoint_description}
                  </Link>
                ) : (
                  <IdChip
                    key="endpoint"
                    id={delivery.endpoint_id}
                    href={`/webhooks/endpoints/${delivery.endpoint_id}`}
                    whole
                  />
                ),
              ],
          [
            delivery.callback ? t("addressOfTheRequest") : t("url"),
            <code key="url" className="text-meta">
              {delivery.url}
            </code>,
          ],
          [t("delivery"), <IdChip key="delivery" id={delivery.id} whole />],
          [t("created"), <Time key="created" value={delivery.created_at} mode="absolute" />],
          isHydrated && isHeldBack(delivery, nowMs)
            ? [t("waits"), <span key="waits">{t("forTheRateLimitOf")}</span>]
            : null,
          delivery.delivered_at === null
            ? null
            : [t("accepted"), <Time key="accepted" value={delivery.delivered_at} mode="absolute" />],
        ]}
      />
    </div>
  );
}
