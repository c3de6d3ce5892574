import type { UpstreamRateLimit } from "#contract/operator/health.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { RegionKey } from "../configuration.ts";
import type { Conversation } from "../conversation.ts";
import { resetMs } from "../http/rate-limit.ts";
import { inTurn } from "../in-turn.ts";

/** A refused key is tried again after this time: its bill may be paid by then. */
const refusedMs = 60_000;
/** A key at its limit is not used for this long if the upstream gives no time. */
const limitedMs = 1_000;
/** A key that should be unused for longer is tried again after this time. */
const longestMs = 5 * 60_000;
const minuteMs = 60_000;

interface State {
  key: RegionKey;
  underWay: number;
  /** Calls begun in the minute that began at `minuteFrom`. */
  begun: number;
  minuteFrom: number;
  aside: { untilMs: number; failure: ProviderError } | null;
}

/** A key that a call is using. */
export interface TakenKey {
  name: string;
  /** Whether it was the first choice, whichever keys are usable. */
  isFavourite: boolean;
  /** Releases the key. Run this when the call to the upstream has ended. */
  leave(): void;
}

/**
 * The keys of one region in this process: which key is next, which ones are at their limits, and which ones
 * are set aside because the upstream refused or limited them.
 */
export class KeyRing {
  readonly #states: ReadonlyMap<string, State>;
  readonly #now: () => number;

  constructor(keys: readonly RegionKey[], now = clock.now) {
    this.#now = now;
    this.#states = new Map(
      keys.map((key) => [key.name, { key, underWay: 0, begun: 0, minuteFrom: 0, aside: null }]),
    );
  }

  /** The names of the keys that can be used now. */
  free(): string[] {
    return this.#freeStates().map(({ key }) => key.name);
  }

  /**
   * Starts a call with a usable key, chosen in proportion to its share: for a conversation always the same one
   * while that is usable. Null if there is none.
   */
  take(conversation?: Conversation, random = Math.random): TakenKey | null {
    const now = this.#now();
    const ranked = [...this.#states.values()].map((state) => ({
      state,
      priority: 0,
      weight: state.key.share,
    }));
    const order = inTurn(
      ranked,
      conversation ? ({ state }) => conversation.draw(`key\n${state.key.name}`) : random,
    );
    const chosen = order.find(({ state }) => waitOf(state, now) === 0);
    if (!chosen) return null;
    const { state } = chosen;
    if (now - state.minuteFrom >= minuteMs) Object.assign(state, { minuteFrom: now, begun: 0 });
    state.begun += 1;
    state.underWay += 1;
    let isOver = false;
    const leave = () => {
      if (!isOver) state.underWay -= 1;
      isOver = true;
    };
    return { name: state.key.name, isFavourite: chosen === order[0], leave };
  }

  /** Why no key is usable now, and when one may be. */
  refusal(): ProviderError {
    const now = this.#now();
    const waits = [...this.#states.values()].map((state) => ({ ms: waitOf(state, now), state }));
    const [soonest] = waits.sort((one, other) => one.ms - other.ms);
    const failure = soonest?.state.aside?.failure;
    return new ProviderError(
      failure?.code ?? "upstream_rate_limited",
      failure?.message ?? "All keys of this provider are in use. Try again later.",
      { started: "no", retryAfterMs: soonest?.ms ?? 0, cause: failure?.cause },
    );
  }

  /** Sets a key aside if the failure of its call is due to the key; returns whether it is. */
  failed(name: string, failure: ProviderError): boolean {
    const isLimited = failure.code === "upstream_rate_limited";
    if (failure.started !== "no" || !(isLimited || failure.refusesKey)) return false;
    this.#setAside(name, failure.refusesKey ? refusedMs : failure.retryAfterMs || limitedMs, failure);
    return true;
  }

  /** Sets a key aside if an answer reports that its limit is used up until a given time. */
  limited(name: string, limit: UpstreamRateLimit): void {
    const waits = [
      limit.remaining_requests === 0 ? resetMs(limit.reset_requests) : 0,
      limit.remaining_tokens === 0 ? resetMs(limit.reset_tokens) : 0,
    ];
    const ms = Math.max(...waits);
    if (ms <= 0) return;
    const message = "The provider is at its rate limit. Try again later.";
    this.#setAside(name, ms, new ProviderError("upstream_rate_limited", message, { started: "no" }));
  }

  /** Until when a key is set aside, and why; null if it is not. */
  asideOf(name: string): { until: Date; failure: ProviderError } | null {
    const aside = this.#states.get(name)?.aside;
    return aside && aside.untilMs > this.#now()
      ? { until: new Date(aside.untilMs), failure: aside.failure }
      : null;
  }

  #freeStates(): State[] {
    const now = this.#now();
    return [...this.#states.values()].filter((state) => waitOf(state, now) === 0);
  }

  #setAside(name: string, ms: number, failure: ProviderError): void {
    const state = this.#states.get(name);
    if (state) state.aside = { untilMs: this.#now() + Math.min(ms, longestMs), failure };
  }
}

/**
 * How many ms a key stays unusable. A key at its concurrency limit gets 1 ms, because it can become free at
 * any moment.
 */
function waitOf({ key, underWay, begun, minuteFrom, aside }: State, now: number): number {
  const asideMs = Math.max(0, (aside?.untilMs ?? 0) - now);
  const minuteLeftMs = minuteFrom + minuteMs - now;
  const rateMs = key.perMinute !== null && begun >= key.perMinute ? Math.max(0, minuteLeftMs) : 0;
  const fullMs = key.concurrency !== null && underWay >= key.concurrency ? 1 : 0;
  return Math.max(asideMs, rateMs, fullMs);
}
