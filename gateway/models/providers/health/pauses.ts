import type { RegionName } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";

/** A model at a provider in a region. */
export interface DeploymentName {
  provider: string;
  model: string;
  region: RegionName;
}

/** The longest pause; an upstream that requests more is tried again after this. */
const longestPauseMs = 5 * 60_000;

/** Error codes of answers that may request a wait. */
const pausing = new Set<ProviderError["code"]>(["upstream_rate_limited", "service_unavailable"]);

interface Pause {
  untilMs: number;
  failure: ProviderError;
}

/**
 * Upstreams that requested a pause by Retry-After with a 429 or 503: this process does not call them again
 * until it is over.
 */
export class Pauses {
  private readonly pauses = new Map<string, Pause>();

  /** Remembers a pause if the upstream requested one. */
  note(where: DeploymentName, failure: unknown): void {
    if (!(failure instanceof ProviderError) || failure.started !== "no") return;
    if (!pausing.has(failure.code) || !failure.retryAfterMs) return;
    const untilMs = clock.now() + Math.min(failure.retryAfterMs, longestPauseMs);
    this.pauses.set(nameOf(where), { untilMs, failure });
  }

  /** The upstream's answer with the remaining time of its pause; null when it may be called. */
  of(where: DeploymentName): ProviderError | null {
    // Saves building the name in the usual case that no upstream has requested a pause.
    if (this.pauses.size === 0) return null;
    const name = nameOf(where);
    const pause = this.pauses.get(name);
    if (!pause) return null;
    const { untilMs, failure } = pause;
    const retryAfterMs = untilMs - clock.now();
    if (retryAfterMs > 0)
      return new ProviderError(failure.code, failure.message, {
        started: "no",
        retryAfterMs,
        cause: failure.cause,
      });
    this.pauses.delete(name);
    return null;
  }

  /** Call after a configuration change: another key may have another limit. */
  clear(): void {
    this.pauses.clear();
  }
}

function nameOf({ provider, model, region }: DeploymentName): string {
  return `${provider}\n${model}\n${region}`;
}
