import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Provider } from "../provider.ts";

/**
 * A provider of which the operator says that it has begun nothing when it answers 500 ("failed" in `go_on_when` of a route): the
 * next one is asked then. Once a job was accepted or a stream has a chunk, it has begun.
 */
export function withNextAfter500(provider: Provider): Provider {
  return {
    ...provider,
    execute: (request) => provider.execute(request).catch(notBegun),
    start: (request) => provider.start(request).catch(notBegun),
    async *stream(request) {
      const chunks = provider.stream(request)[Symbol.asyncIterator]();
      try {
        let next = await chunks.next().catch(notBegun);
        for (; !next.done; next = await chunks.next()) yield next.value;
      } finally {
        await chunks.return?.();
      }
    },
  };
}

function notBegun(error: unknown): never {
  if (!(error instanceof ProviderError) || error.status !== 500 || error.started !== "unknown") throw error;
  throw new ProviderError("service_unavailable", "The provider is unavailable.", {
    started: "no",
    status: 500,
    cause: error.cause,
  });
}
