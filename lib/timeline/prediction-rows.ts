import { byName } from "#contract/by-name.ts";
import type { Output } from "#contract/outputs.ts";
import type { Prediction, TimelineEvent } from "#contract/prediction.ts";
import { isTerminal, timelineEvents } from "#contract/prediction-constants.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { formatPercent } from "@/lib/format";
import { firstKeptUntil } from "@/lib/outputs/outputs-of-run";
import type { Tone } from "@/lib/status/status-look";
import type { Key, Words } from "@/messages/words";
import { detailFacts, distinctFacts, endpointRow, factsOf } from "./delivery-row.ts";
import {
  type Fact,
  instant,
  moment,
  rowSpan,
  type Segment,
  type TimelineRow,
  type TimelineWords,
} from "./row.ts";

/**
 * All phases of a prediction, one row each in order of time: accepted, queue, run, outputs stored, end,
 * what guards said, event, each endpoint that got the event, removal. Unknown events get their own row. `kept` are the run's files in the
 * library.
 */
export function predictionRows(
  words: TimelineWords,
  prediction: Prediction,
  deliveries: (Delivery | DeliveryDetail)[],
  nowMs: number,
  kept: readonly Output[] = [],
): TimelineRow[] {
  const { t } = words;
  const phases = predictionPhases(prediction);
  const rows = [
    acceptedRow(t, prediction, phases),
    queueRow(t, prediction, phases, nowMs),
    runRow(t, prediction, phases, nowMs),
    ...guardRows(t, prediction),
    outputsRow(t, prediction),
    terminalRow(t, prediction, phases),
    ...eventRows(t, prediction),
    ...otherRows(t, prediction),
  ].filter((row) => row !== null);
  const endpoints = [...new Set(deliveries.map((delivery) => delivery.endpoint_id))];
  const sent = endpoints
    .map((id) =>
      endpointRow(
        words,
        deliveries.filter((delivery) => delivery.endpoint_id === id),
        nowMs,
      ),
    )
    .sort((a, b) => startOf(a) - startOf(b));
  const removal = removalRow(t, prediction, phases, kept);
  // `sort` is stable, so rows that start together keep their order.
  return [...rows.sort((a, b) => startOf(a) - startOf(b)), ...sent, ...(removal ? [removal] : [])];
}

function startOf(row: TimelineRow): number {
  return rowSpan(row)?.startMs ?? 0;
}

function row(
  id: TimelineRow["kind"],
  label: string,
  tone: Tone,
  segments: Segment[],
  facts: TimelineRow["facts"],
): TimelineRow {
  return { id, kind: id, label, tone, segments, facts: distinctFacts(facts), children: [] };
}

type T = Words<"predictions">;

function acceptedRow(t: T, prediction: Prediction, { acceptedMs }: Phases): TimelineRow {
  return row(
    "accepted",
    t("accepted"),
    "good",
    [moment(acceptedMs, "good")],
    [
      ...factsOf([
        { label: t("at"), value: prediction.created_at, form: "time" },
        { label: t("model"), value: prediction.model, form: "code" },
        { label: t("region"), value: prediction.svc_region, form: "text" },
        { label: t("gates"), value: t("passedBeforeAcceptance"), form: "text" },
        { label: t("request"), value: prediction.request_id, form: "id" },
      ]),
      ...factsOfEvent(t, prediction, "accepted"),
    ],
  );
}

function queueRow(t: T, prediction: Prediction, phases: Phases, nowMs: number): TimelineRow {
  const segments = bars("queue", phases.queue, "waiting", nowMs);
  const open = segments.some((segment) => segment.open);
  return row("queue", open ? t("queued") : t("queue"), "waiting", segments, [
    ...stretchFacts(t, phases.queue, nowMs),
    ...factsOfEvent(t, prediction, "queued"),
  ]);
}

function runRow(t: T, prediction: Prediction, phases: Phases, nowMs: number): TimelineRow | null {
  if (phases.run.length === 0) return null;
  const segments = bars("run", phases.run, "busy", nowMs);
  const open = segments.some((segment) => segment.open);
  for (const { event, atMs } of timedEvents(prediction)) {
    if (event.event === "provider_accepted") segments.push(moment(atMs, "busy", t("acceptedByProvider")));
  }
  const progress =
    open && prediction.progress !== null ? formatPercent(prediction.progress, t.language) : null;
  return row("run", open ? t("running") : t("run"), "busy", segments, [
    ...stretchFacts(t, phases.run, nowMs),
    ...factsOf([{ label: t("progress"), value: progress, form: "text" }]),
    ...factsOfEvent(t, prediction, "started"),
    ...factsOfEvent(t, prediction, "provider_accepted"),
  ]);
}

function outputsRow(t: T, prediction: Prediction): TimelineRow | null {
  const stored = timedEvents(prediction).filter(({ event }) => event.event === "output_stored");
  const first = stored[0];
  const last = stored.at(-1);
  if (!first || !last) return null;
  const segment: Segment =
    first.atMs === last.atMs
      ? moment(first.atMs, "good")
      : { kind: "store", startMs: first.atMs, endMs: last.atMs, open: false, tone: "good", note: null };
  return row(
    "outputs",
    t("outputsStored"),
    "good",
    [segment],
    [
      ...factsOf([
        { label: t("at"), value: last.event.at, form: "time" },
        { label: t("files"), value: prediction.data?.length, form: "text" },
      ]),
      ...stored.flatMap(({ event }) => detailFacts(t, event.detail)),
    ],
  );
}

const terminalLooks = byName<{ label: Key<"predictions">; tone: Tone }>({
  succeeded: { label: "succeeded", tone: "good" },
  failed: { label: "failed", tone: "bad" },
  canceled: { label: "canceled", tone: "gone" },
});

function terminalRow(t: T, prediction: Prediction, { terminalMs }: Phases): TimelineRow | null {
  const look = terminalLooks[prediction.status];
  if (!look || terminalMs === null) return null;
  const total = prediction.metrics?.total_time;
  return row(
    "terminal",
    t.text(look.label),
    look.tone,
    [moment(terminalMs, look.tone)],
    [
      ...factsOf([
        { label: t("at"), value: new Date(terminalMs).toISOString(), form: "time" },
        {
          label: t("total"),
          value: total === null || total === undefined ? null : total * 1000,
          form: "duration",
        },
        { label: t("error"), value: prediction.error?.code, form: "code" },
        { label: t("reason"), value: prediction.error?.message, form: "text" },
      ]),
      ...factsOfEvent(t, prediction, prediction.status),
    ],
  );
}

/** What guards said of the input or the output. */
function guardRows(t: T, prediction: Prediction): TimelineRow[] {
  return timedEvents(prediction)
    .filter(({ event }) => event.event === "guard_answered")
    .map(({ event, atMs }, index) => {
      const { stage, result } = event.detail ?? {};
      const tone: Tone = result === "blocked" || result === "failed" ? "bad" : "good";
      const answer = String(result);
      const label = t("guardAnswered", { result: answer, answer, stage: String(stage) });
      const at = { label: t("at"), value: event.at, form: "time" } as const;
      const facts = [at, ...detailFacts(t, event.detail)];
      return { ...row("other", label, tone, [moment(atMs, tone)], facts), id: `guard-${index}` };
    });
}

function eventRows(t: T, prediction: Prediction): TimelineRow[] {
  return timedEvents(prediction)
    .filter(({ event }) => event.event === "event_emitted")
    .map(({ event, atMs }, index) => ({
      ...row(
        "event",
        t("eventEmitted"),
        "good",
        [moment(atMs, "good")],
        [{ label: t("at"), value: event.at, form: "time" }, ...detailFacts(t, event.detail)],
      ),
      id: index === 0 ? "event" : `event-${index}`,
    }));
}

const knownEvents = new Set<string>(timelineEvents);

/** Steps of a newer gateway are shown with their raw name, never dropped. */
function otherRows(t: T, prediction: Prediction): TimelineRow[] {
  return timedEvents(prediction)
    .filter(({ event }) => !knownEvents.has(event.event))
    .map(({ event, atMs }, index) => ({
      ...row(
        "other",
        event.event.replaceAll("_", " "),
        "waiting",
        [moment(atMs, "waiting")],
        [{ label: t("at"), value: event.at, form: "time" }, ...detailFacts(t, event.detail)],
      ),
      id: `other-${index}`,
    }));
}

function removalRow(
  t: T,
  prediction: Prediction,
  { terminalMs }: Phases,
  inLibrary: readonly Output[],
): TimelineRow | null {
  const removed = timedEvents(prediction).find(({ event }) => event.event === "data_removed");
  const plannedMs = instant(prediction.expires_at);
  const atMs = prediction.data_removed ? (removed?.atMs ?? plannedMs) : plannedMs;
  if (terminalMs === null || atMs === null) return null;
  const gone = prediction.data_removed;
  const kept: Segment = {
    kind: "deadline",
    startMs: terminalMs,
    endMs: Math.max(atMs, terminalMs),
    open: !gone,
    tone: gone ? "gone" : "warn",
    note: null,
  };
  return row(
    "removal",
    gone ? t("inputAndOutputsRemoved") : inLibrary.length > 0 ? t("removalOfOtherFiles") : t("removal"),
    kept.tone,
    [kept],
    [
      {
        label: gone ? t("removedAt") : t("willBeRemoved"),
        value: new Date(atMs).toISOString(),
        form: "time",
      },
      { label: t("keptFor"), value: kept.endMs - kept.startMs, form: "duration" },
      ...(inLibrary.length > 0 ? [libraryFact(t, inLibrary)] : []),
    ],
  );
}

function libraryFact(t: T, kept: readonly Output[]): Fact {
  const until = firstKeptUntil(kept);
  return {
    label: t("inTheLibraryUntil"),
    value: until ?? t("somebodyRemovesIt"),
    form: until === null ? "text" : "time",
  };
}

function bars(kind: "queue" | "run", stretches: Stretch[], tone: Tone, nowMs: number): Segment[] {
  return stretches.map(({ startMs, endMs }) => ({
    kind,
    startMs,
    endMs: endMs ?? Math.max(startMs, nowMs),
    open: endMs === null,
    tone,
    note: null,
  }));
}

function stretchFacts(t: T, stretches: Stretch[], nowMs: number): TimelineRow["facts"] {
  return stretches.flatMap(({ startMs, endMs }) =>
    factsOf([
      { label: t("from"), value: new Date(startMs).toISOString(), form: "time" },
      {
        label: t("to"),
        value: endMs === null ? t("inProgress") : new Date(endMs).toISOString(),
        form: endMs === null ? "text" : "time",
      },
      { label: t("duration"), value: (endMs ?? Math.max(nowMs, startMs)) - startMs, form: "duration" },
    ]),
  );
}

function factsOfEvent(t: T, prediction: Prediction, name: string): TimelineRow["facts"] {
  return timedEvents(prediction)
    .filter(({ event }) => event.event === name)
    .flatMap(({ event }) => detailFacts(t, event.detail));
}

interface Stretch {
  startMs: number;
  endMs: number | null;
}

/** When a prediction was queued and when it ran. A resumed job has several periods of each. */
interface Phases {
  acceptedMs: number;
  queue: Stretch[];
  run: Stretch[];
  terminalMs: number | null;
}

/** The events in order of time. An event with an unreadable time is dropped, so that the page still works. */
function timedEvents(prediction: Prediction): { event: TimelineEvent; atMs: number }[] {
  return (prediction.timeline ?? [])
    .flatMap((event) => {
      const atMs = instant(event.at);
      return atMs === null ? [] : [{ event, atMs }];
    })
    .sort((a, b) => a.atMs - b.atMs);
}

/**
 * Reads the periods from the events. If a gateway sends none, reads them from `created_at`, `started_at` and
 * `completed_at`. A period that has not ended has `endMs` null.
 */
function predictionPhases(prediction: Prediction): Phases {
  const events = timedEvents(prediction);
  const at = (name: string) => events.find(({ event }) => event.event === name)?.atMs ?? null;
  const acceptedMs = at("accepted") ?? instant(prediction.created_at) ?? events[0]?.atMs ?? 0;
  const terminalMs = isTerminal(prediction.status)
    ? (at(prediction.status) ?? instant(prediction.completed_at))
    : null;

  const phases: Phases = { acceptedMs, queue: [{ startMs: acceptedMs, endMs: null }], run: [], terminalMs };
  for (const { event, atMs } of events) {
    if (event.event === "started") step(phases.queue, phases.run, atMs);
    if (event.event === "queued") step(phases.run, phases.queue, atMs);
  }
  const startedMs = instant(prediction.started_at);
  if (phases.run.length === 0 && startedMs !== null) step(phases.queue, phases.run, startedMs);
  if (terminalMs !== null) for (const stretch of [...phases.queue, ...phases.run]) close(stretch, terminalMs);
  return phases;
}

/** Ends the open period in `from` and starts one in `to`, unless one is already open. */
function step(from: Stretch[], to: Stretch[], atMs: number): void {
  const last = from.at(-1);
  if (last) close(last, atMs);
  if (to.at(-1)?.endMs !== null) to.push({ startMs: atMs, endMs: null });
}

function close(stretch: Stretch, atMs: number): void {
  if (stretch.endMs === null) stretch.endMs = Math.max(stretch.startMs, atMs);
}
