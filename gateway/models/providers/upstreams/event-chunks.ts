import { counters } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { connectionFailure } from "../http/http-client.ts";
import { invalidAnswer, isRecord, parsed, readEvents } from "../http/read-body.ts";
import type { Mapped } from "../protocol.ts";
import type { ChatChunk, ProviderRequest } from "../provider.ts";
import type { UpstreamCall } from "./upstream.ts";

/** Converts the events of an API into chat chunks. */
export interface EventReader {
  /** True once the last event was read. */
  readonly isDone: boolean;
  /** Null for an event without content for a chat. Throws for an error event. */
  read(event: Record<string, unknown>): ChatChunk | null;
}

/**
 * The chunks of an event stream; with `native` each carries its original event. A stream that ends before its
 * last event was cut: it throws `upstream_stream_interrupted`, because it would otherwise look complete.
 */
export async function* eventChunks(
  mapped: Mapped,
  request: ProviderRequest,
  call: Pick<UpstreamCall, "path" | "json" | "headers">,
  reader: EventReader,
  native: boolean,
): AsyncGenerator<ChatChunk> {
  const headers = { accept: "text/event-stream", ...call.headers };
  const answer = await mapped.upstream.open(request, { ...call, headers, wait: "stream" });
  try {
    // The loop must not destroy the body: its connection serves the next request only after the body is read
    // to its end.
    for await (const data of readEvents(answer.body.iterator({ destroyOnReturn: false }))) {
      const event = eventIn(data, mapped, request);
      if (event === null) continue;
      const chunk = reader.read(event);
      if (chunk || native) yield { ...(chunk ?? { choices: [] }), ...(native && { native: event }) };
      if (reader.isDone) return;
    }
  } catch (error) {
    if (request.signal.aborted || error instanceof ProviderError) throw error;
    throw interrupted(connectionFailure(error, true));
  } finally {
    if (reader.isDone) answer.body.resume();
    else answer.body.destroy();
  }
  throw interrupted();
}

/**
 * Parses an event of a stream. For one that is not JSON: null if the route skips such events, otherwise
 * throws.
 */
export function eventIn(
  data: string,
  { skipsMalformed, upstream }: Pick<Mapped, "skipsMalformed" | "upstream">,
  { log }: ProviderRequest,
): Record<string, unknown> | null {
  const event = parsed(data);
  if (isRecord(event)) return event;
  if (!skipsMalformed) throw invalidAnswer("The provider's stream has an event that is not JSON.");
  counters.skippedEvents.inc({ provider: upstream.name });
  log.warn(
    { provider: upstream.name, characters: data.length },
    "an event of a stream is no JSON and was left out",
  );
  return null;
}

/** The error of a stream that ended too early. */
export function interrupted(cause?: unknown): ProviderError {
  return new ProviderError("upstream_stream_interrupted", "The provider's stream ended early.", {
    started: "yes",
    cause,
  });
}
