import path from "node:path";
import type { Logger } from "pino";
import type { Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { streamChat } from "./chat/chat.ts";
import { ignoredOfChat } from "./chat/ignored.ts";
import { toProviderError } from "./failure.ts";
import { JobRegistry } from "./jobs/registry.ts";
import { JobRunner } from "./jobs/runner.ts";
import { planAsync } from "./plans/async.ts";
import { runSync } from "./run-sync.ts";

const providerId = "sandbox";

/**
 * The built-in provider: it runs every operation of the catalog on this machine without any model, and all of its
 * outputs say so visibly and in their metadata.
 */
export function createSandbox(options: { config: Config; database: Database; log: Logger }): Provider {
  const { config, database } = options;
  const log = options.log.child({ provider: providerId });
  const runner = new JobRunner({
    root: path.join(config.dataDir, "sandbox"),
    ffmpegPath: config.ffmpegPath,
    videoTimeoutMs: config.sandboxTimeoutMs,
    log,
  });
  const registry = new JobRegistry(runner);

  const begin = (request: ProviderRequest): Promise<void> => {
    const { id, accountId } = request;
    return registry.begin({ id, accountId, log: request.log, ...planAsync(request) });
  };

  return {
    id: providerId,
    sandbox: true,
    restartable: true,

    supports: () => ({ ok: true }),
    ignores: ({ operation, input }) =>
      operation.api_type === "chat-completions" ? ignoredOfChat(input) : [],

    execute: (request) => guarded(request, () => runSync(request, runner, database.queries)),

    async *stream(request) {
      try {
        yield* streamChat(request);
      } catch (error) {
        throw request.signal.aborted ? error : toProviderError(error);
      }
    },

    start: (request) =>
      guarded(request, async () => {
        await begin(request);
        return { ref: { provider: providerId, id: request.id }, pollAfterMs: 500 };
      }),

    async status(ref, request) {
      const id = String(ref.id ?? request.id);
      const usage = (seconds: number | undefined) => usageOf(request, seconds);
      if (!registry.knows(id)) {
        const outputs = await runner.finished(id);
        if (outputs) return { state: "succeeded", outputs, usage: usage(outputs[0]?.duration) };
        try {
          await begin({ ...request, id });
        } catch (error) {
          return { state: "failed", error: toProviderError(error) };
        }
      }
      return registry.status(id, usage);
    },

    async cancel(ref, request) {
      const id = String(ref.id ?? request.id);
      // A job that this process does not know is not running here: after a restart there is nothing to stop.
      if (!registry.knows(id)) return (await runner.finished(id)) ? "too_late" : "canceled";
      return registry.cancel(id) ? "canceled" : "too_late";
    },

    stop: (ref) => void registry.cancel(String(ref.id)),

    forget: (ref) => registry.forget(String(ref.id)),

    close: async () => registry.close(),
  };
}

/** Runs a step and converts its errors to the contract's codes; an abort is passed on. */
async function guarded<Result>(request: ProviderRequest, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (request.signal.aborted) throw error;
    if (!(error instanceof ProviderError)) request.log.debug({ err: error }, "sandbox refused or failed");
    throw toProviderError(error);
  }
}

function usageOf(request: ProviderRequest, seconds: number | undefined): Usage {
  return request.operation.billing_unit === "second"
    ? { unit: "second", quantity: Math.ceil((seconds ?? 0) - 0.25) }
    : { unit: request.operation.billing_unit, quantity: 1 };
}
