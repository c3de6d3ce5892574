import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "#gateway/config.ts";
import type { Database } from "#gateway/database/database.ts";
import { type Provider, ProviderError, type ProviderRequest, type Usage } from "../provider.ts";
import { streamChat } from "./chat/chat.ts";
import { toProviderError } from "./failure.ts";
import { JobBook } from "./jobs/book.ts";
import { Workshop } from "./jobs/workshop.ts";
import { familyOf } from "./operations.ts";
import { planAsync } from "./plans/async.ts";
import { runSync } from "./run-sync.ts";

const providerId = "sandbox";

/**
 * The built-in provider: it runs every operation of the catalog on this machine without any model, and everything it
 * makes says so in sight and in its metadata.
 */
export function createSandbox(options: { config: Config; database: Database; log: Logger }): Provider {
  const { config, database } = options;
  const log = options.log.child({ provider: providerId });
  const workshop = new Workshop({
    root: path.join(config.dataDir, "sandbox"),
    ffmpegPath: config.ffmpegPath,
    videoTimeoutMs: config.sandboxTimeoutMs,
    log,
  });
  const book = new JobBook(workshop);

  const begin = (request: ProviderRequest): Promise<void> => {
    const { id, accountId } = request;
    return book.begin({ id, accountId, log: request.log, ...planAsync(request) });
  };

  return {
    id: providerId,
    sandbox: true,
    restartable: true,

    supports: (operation, model) =>
      familyOf(model, operation) === null
        ? { ok: false, reason: `The sandbox does not know the operation ${operation.id}.` }
        : { ok: true },

    execute: (request) => guarded(request, () => runSync(request, workshop, database.queries)),

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
      if (!book.knows(id)) {
        const outputs = await workshop.finished(id);
        if (outputs) return { state: "succeeded", outputs, usage: usage(outputs[0]?.duration) };
        try {
          await begin({ ...request, id });
        } catch (error) {
          return { state: "failed", error: toProviderError(error) };
        }
      }
      return book.status(id, usage);
    },

    async cancel(ref, request) {
      const id = String(ref.id ?? request.id);
      // A job that this process does not know is not running here: after a restart nothing has to be stopped.
      if (!book.knows(id)) return (await workshop.finished(id)) ? "too_late" : "canceled";
      return book.cancel(id) ? "canceled" : "too_late";
    },

    forget: (ref) => book.forget(String(ref.id)),

    close: async () => book.close(),
  };
}

/** Runs a step and turns whatever goes wrong into the contract's codes; an abort stays what it is. */
async function guarded<Result>(request: ProviderRequest, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (request.signal.aborted) throw error;
    if (!(error instanceof ProviderError)) request.log.debug({ error }, "sandbox refused or failed");
    throw toProviderError(error);
  }
}

function usageOf(request: ProviderRequest, seconds: number | undefined): Usage {
  return request.operation.billing_unit === "second"
    ? { unit: "second", quantity: Math.ceil((seconds ?? 0) - 0.25) }
    : { unit: request.operation.billing_unit, quantity: 1 };
}
