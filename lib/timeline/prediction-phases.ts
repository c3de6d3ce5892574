import type { Prediction, TimelineEvent } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { instant } from "./row.ts";

export interface Stretch {
  startMs: number;
  endMs: number | null;
}

/** When a prediction was queued and when it ran; a resumed job has several stretches of each. */
export interface Phases {
  acceptedMs: number;
  queue: Stretch[];
  run: Stretch[];
  terminalMs: number | null;
}

/** The events in the order of time; an unreadable time drops the event rather than the page. */
export function timedEvents(prediction: Prediction): { event: TimelineEvent; atMs: number }[] {
  return (prediction.timeline ?? [])
    .flatMap((event) => {
      const atMs = instant(event.at);
      return atMs === null ? [] : [{ event, atMs }];
    })
    .sort((a, b) => a.atMs - b.atMs);
}

/**
 * Reads the stretches from the events, and from `created_at`, `started_at` and `completed_at` where a gateway
 * sends no events. A stretch that has not ended has `endMs` null.
 */
export function predictionPhases(prediction: Prediction): Phases {
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

/** Ends what is open in `from` and opens a stretch in `to`, unless one is open there already. */
function step(from: Stretch[], to: Stretch[], atMs: number): void {
  const last = from.at(-1);
  if (last) close(last, atMs);
  if (to.at(-1)?.endMs !== null) to.push({ startMs: atMs, endMs: null });
}

function close(stretch: Stretch, atMs: number): void {
  if (stretch.endMs === null) stretch.endMs = Math.max(stretch.startMs, atMs);
}
