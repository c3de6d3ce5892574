import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { DeploymentName } from "./deployment-name.ts";

/** An upstream that asks for a longer pause is asked again after this. */
const longestPauseMs = 5 * 60_000;

/** The answers that ask everybody to wait. */
const pausing = new Set<ProviderError["code"]>(["upstream_rate_limited", "service_unavailable"]);

interface Pause {
  untilMs: number;
  failure: ProviderError;
}

/** Which upstreams asked for a pause by Retry-After with a 429 or 503: until then this process does not ask them again. */
export class Pauses {
  private readonly pauses = new Map<string, Pause>();

  /** Remembers a pause if the upstream asked for one. */
  note(where: DeploymentName, failure: unknown): void {
    if (!(failure instanceof ProviderError) || failure.started !== "no") return;
    if (!pausing.has(failure.code) || !failure.retryAfterMs) return;
    const untilMs = clock.now() + Math.min(failure.retryAfterMs, longestPauseMs);
    this.pauses.set(nameOf(where), { untilMs, failure });
  }

  /** What the upstream answered, with the time that is left of its pause; null when it may be asked. */
  of(where: DeploymentName): ProviderError | null {
    // As nearly always.
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

  /** The configuration has changed: another key may have another limit. */
  clear(): void {
    this.pauses.clear();
  }
}

function nameOf({ provider, model, region }: DeploymentName): string {
  return `${provider}\n${model}\n${region}`;
}
