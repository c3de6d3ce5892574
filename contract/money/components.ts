import type { PriceComponent } from "../operator/prices.ts";
import { insteadOfKind, type PriceKind, unitOfKind } from "./constants.ts";
import type { PriceCondition } from "./cost.ts";
import { decimalOf } from "./decimal.ts";

/** A price component with its decimals parsed. */
export interface Component {
  /** Position of the component in the price. */
  at: number;
  rate: bigint;
  per: number;
  when: PriceCondition | null;
}

/** Components by kind, in the order in which their conditions are tested. The first match sets the rate. */
export type ComponentsByKind = ReadonlyMap<PriceKind, readonly Component[]>;

/** Components with more conditions first, then those with the higher threshold, then in the given order. */
export function componentsByKind(components: readonly PriceComponent[]): ComponentsByKind {
  const byKind = new Map<PriceKind, Component[]>();
  for (const [at, { kind, rate, per, when = null }] of components.entries()) {
    const ofKind = byKind.get(kind) ?? [];
    byKind.set(kind, ofKind);
    ofKind.push({ at, rate: decimalOf(rate), per, when });
  }
  for (const ofKind of byKind.values())
    ofKind.sort(
      (a, b) => weight(b.when) - weight(a.when) || threshold(b.when) - threshold(a.when) || a.at - b.at,
    );
  return byKind;
}

/** The components of a kind, or, if it has none, of the nearest kind that prices it instead. */
export function componentsOfKind(components: ComponentsByKind, kind: PriceKind): readonly Component[] {
  for (let asked: PriceKind | undefined = kind; asked; asked = insteadOfKind[asked]) {
    const found = components.get(asked);
    if (found) return found;
  }
  return [];
}

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

/** The component that prices a line. Null: no component matches. */
export function componentFor(
  components: ComponentsByKind,
  kind: PriceKind,
  facts: LineFacts,
): Component | null {
  for (const component of componentsOfKind(components, kind))
    if (component.when === null || holds(component.when, facts)) return component;
  return null;
}

/** Whether a line meets a condition. A condition on an unknown fact is not met. */
function holds(when: PriceCondition, facts: LineFacts): boolean {
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

function isWord(wanted: string | undefined, said: string | null | undefined): boolean {
  if (wanted === undefined) return true;
  return typeof said === "string" && said.toLowerCase() === wanted.toLowerCase();
}

function isAbove(least: number | undefined, measured: number | null | undefined): boolean {
  if (least === undefined) return true;
  return typeof measured === "number" && measured > least;
}

/**
 * The first error in a price's components that their schema does not catch: its place and a sentence. Null:
 * no error.
 */
export function componentsProblem(
  components: readonly PriceComponent[],
): { at: number; isUnit: boolean; words: string } | null {
  const seen = new Set<string>();
  for (const [at, { kind, unit, when }] of components.entries()) {
    if (unit !== undefined && unit !== unitOfKind[kind])
      return { at, isUnit: true, words: `${kind} is counted in ${unitOfKind[kind]}s, not ${unit}s.` };
    const same = `${kind} ${JSON.stringify(Object.entries(when ?? {}).sort())}`;
    if (seen.has(same))
      return {
        at,
        isUnit: false,
        words: `${kind} already has a rate for these conditions. Remove one of the two.`,
      };
    seen.add(same);
  }
  return null;
}

function weight(when: PriceCondition | null): number {
  return when === null ? 0 : Object.keys(when).length;
}

function threshold(when: PriceCondition | null): number {
  return when?.context_above ?? when?.duration_above ?? -1;
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
