import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import type { ProviderRequest, ProviderStatus, Started } from "../provider.ts";

/** An error sooner than this is thrown before the run counts as accepted, so that another upstream can be tried. */
const earlyMs = 1_000;

/** Async runs on upstreams that answer with the result itself. They live in this process, as long as their request. */
export class InProcessRuns {
  private readonly running = new Map<string, AbortController>();

  /** Sends the request once. Throws an early failure; a later one becomes the result of the run. */
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
    // The caller attaches a handler later; until then a failure must not be an unhandled rejection.
    result.catch(() => undefined);
    const early = new Promise<null>((resolve) => setTimeout(resolve, earlyMs, null).unref());
    await Promise.race([answer, early]);
    return { ref, result };
  }

  /** Called only after the process with the run has died or could not save the result. */
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
