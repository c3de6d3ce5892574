import { ProviderError } from "#gateway/core/provider-error.ts";
import type { ProviderRef } from "#gateway/core/provider-ref.ts";
import type { ProviderRequest, ProviderStatus, Started } from "../provider.ts";

/** An answer that comes sooner than this decides before the run counts as taken: a refusal can still fail over. */
const earlyMs = 1_000;

/** Async runs on upstreams that answer with the result itself. They live in this process, as long as their request. */
export class InProcessRuns {
  private readonly running = new Map<string, AbortController>();

  /** Sends the request once. Throws what an early failure says; a later one is the run's own end. */
  async start(
    ref: ProviderRef,
    request: ProviderRequest,
    run: (request: ProviderRequest) => Promise<ProviderStatus>,
  ): Promise<Started> {
    const abort = new AbortController();
    this.running.set(request.id, abort);
    const signal = AbortSignal.any([request.signal, abort.signal]);
    const answer = run({ ...request, signal }).finally(() => this.running.delete(request.id));
    const result = answer.catch((error: unknown) => failed(error));
    // Whoever started the run listens a moment later; until then a failure must not count as unheard.
    result.catch(() => undefined);
    const early = new Promise<null>((resolve) => setTimeout(resolve, earlyMs, null).unref());
    await Promise.race([answer, early]);
    return { ref, result };
  }

  /** Asked only after the process that held the run is gone, or could not keep its result. */
  lost(): ProviderStatus {
    return {
      state: "failed",
      error: unknownOutcome("The provider's answer did not reach the gateway."),
    };
  }

  cancel(id: string): "canceled" | "unsupported" {
    const held = this.running.get(id);
    held?.abort();
    return held ? "canceled" : "unsupported";
  }
}

function failed(error: unknown): ProviderStatus {
  if (!(error instanceof ProviderError)) throw error;
  return {
    state: "failed",
    error: error.started === "unknown" ? unknownOutcome(error.message, error) : error,
  };
}

function unknownOutcome(message: string, cause?: unknown): ProviderError {
  return new ProviderError(
    "upstream_outcome_unknown",
    `${message} Whether it ran is unknown, so it was not sent again.`,
    { started: "unknown", cause },
  );
}
