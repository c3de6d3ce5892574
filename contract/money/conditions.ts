import type { PriceCondition } from "./cost.ts";

/** The facts about a line and its run that determine its price. */
export interface LineFacts {
  resolution?: string | null | undefined;
  size?: string | null | undefined;
  quality?: string | null | undefined;
  audio?: boolean | null | undefined;
  serviceTier?: string | null | undefined;
  /** The input tokens of the run, including cached ones. */
  contextTokens?: number | null | undefined;
  /** The duration of the run's media, in seconds. */
  durationSeconds?: number | null | undefined;
}

/** Whether a line meets a condition. A condition on an unknown fact is not met. */
export function holds(when: PriceCondition, facts: LineFacts): boolean {
  return (
    isWord(when.resolution, facts.resolution) &&
    isWord(when.size, facts.size) &&
    isWord(when.quality, facts.quality) &&
    isWord(when.service_tier, facts.serviceTier) &&
    (when.audio === undefined || when.audio === facts.audio) &&
    isAbove(when.context_above, facts.contextTokens) &&
    isAbove(when.duration_above, facts.durationSeconds)
  );
}

/** Whether a line can meet a condition: an unknown fact may have any value, and numbers are maximums. */
export function mayHold(when: PriceCondition, facts: LineFacts): boolean {
  return (
    (isUnknown(facts.resolution) || isWord(when.resolution, facts.resolution)) &&
    (isUnknown(facts.size) || isWord(when.size, facts.size)) &&
    (isUnknown(facts.quality) || isWord(when.quality, facts.quality)) &&
    (isUnknown(facts.serviceTier) || isWord(when.service_tier, facts.serviceTier)) &&
    (when.audio === undefined || isUnknown(facts.audio) || when.audio === facts.audio) &&
    (isUnknown(facts.contextTokens) || isAbove(when.context_above, facts.contextTokens)) &&
    (isUnknown(facts.durationSeconds) || isAbove(when.duration_above, facts.durationSeconds))
  );
}

function isUnknown(value: unknown): boolean {
  return value === undefined || value === null;
}

function isWord(wanted: string | undefined, said: string | null | undefined): boolean {
  if (wanted === undefined) return true;
  return typeof said === "string" && said.toLowerCase() === wanted.toLowerCase();
}

function isAbove(least: number | undefined, measured: number | null | undefined): boolean {
  if (least === undefined) return true;
  return typeof measured === "number" && measured > least;
}
