import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { connectionFailure } from "../http/http-client.ts";
import { single } from "../http/rate-limit.ts";
import {
  invalidAnswer,
  isRecord,
  maxBytes,
  readEvents,
  readJson,
  recordOf,
  recordsOf,
  textOf,
} from "../http/read-body.ts";
import type { Mapped } from "../protocol.ts";
import type { ChatChunk, ProviderRequest } from "../provider.ts";
import { eventIn, interrupted } from "../upstreams/event-chunks.ts";
import { chatBody, chatPath, contentOf, errorInAnswer, finishOf, tierOf, usageOf } from "./chat.ts";

const doneMark = "[DONE]";

/**
 * Streams a chat. Always requests usage from the upstream. A stream that ends without `[DONE]` and without a
 * finish reason was cut: it throws `upstream_stream_interrupted`, because it would otherwise look complete.
 */
export async function* streamChat(
  mapped: Mapped,
  request: ProviderRequest,
  path = chatPath,
): AsyncGenerator<ChatChunk> {
  const json = {
    ...(await chatBody(request, mapped)),
    stream: true,
    stream_options: { include_usage: true },
  };
  const answer = await mapped.upstream.open(request, {
    path,
    json,
    headers: { accept: "text/event-stream" },
    wait: "stream",
  });
  if (!single(answer.headers["content-type"])?.includes("text/event-stream")) {
    const body = await readJson(answer, maxBytes.json, request.signal);
    throw body.error === undefined
      ? invalidAnswer("The provider did not answer with a stream.")
      : errorInAnswer(body);
  }
  const open = new Set<number>();
  const places = new ToolCallPlaces();
  let seen = false;
  let done = false;
  try {
    // The loop must not destroy the body: its connection serves the next request only after the body is read
    // to its end.
    for await (const data of readEvents(answer.body.iterator({ destroyOnReturn: false }))) {
      if (data === doneMark) {
        done = true;
        return;
      }
      const event = eventIn(data, mapped, request);
      if (event === null) continue;
      if (event.error !== undefined) throw errorInAnswer(event);
      const chunk = chunkOf(event, places);
      for (const choice of chunk.choices) {
        seen = true;
        if (choice.finish_reason === null) open.add(choice.index);
        else open.delete(choice.index);
      }
      if (chunk.choices.length > 0 || chunk.usage) yield chunk;
    }
  } catch (error) {
    if (request.signal.aborted || error instanceof ProviderError) throw error;
    throw interrupted(connectionFailure(error, true));
  } finally {
    if (done) answer.body.resume();
    else answer.body.destroy();
  }
  if (!seen || open.size > 0) throw interrupted();
}

function chunkOf(event: Record<string, unknown>, places: ToolCallPlaces): ChatChunk {
  const usage = usageOf(event.usage) ?? usageOf(recordOf(event.x_groq).usage);
  return {
    choices: recordsOf(event.choices).map((choice, index) => ({
      index: typeof choice.index === "number" ? choice.index : index,
      delta: deltaOf(recordOf(choice.delta), places),
      finish_reason: finishOf(choice.finish_reason),
      ...(isRecord(choice.logprobs) && { logprobs: choice.logprobs }),
    })),
    ...(usage && { usage }),
    ...tierOf(event),
  };
}

function deltaOf(delta: Record<string, unknown>, places: ToolCallPlaces): Record<string, unknown> {
  const { reasoning: _, reasoning_content: __, content, tool_calls: calls, ...rest } = delta;
  const { content: text, ...thoughts } = contentOf(delta);
  return {
    ...rest,
    ...(content !== undefined && { content: text }),
    ...thoughts,
    ...(Array.isArray(calls) && { tool_calls: recordsOf(calls).map((call) => places.placed(call)) }),
  };
}

/**
 * Gives each tool call of a stream its own index, which OpenAI's clients need to join the pieces. Gemini
 * sends no `index`, Ollama sends 0 for every call, and both send a call's id once.
 */
class ToolCallPlaces {
  private readonly byId = new Map<string, number>();
  private readonly taken = new Set<number>();
  private last = 0;

  placed(call: Record<string, unknown>): Record<string, unknown> {
    const id = textOf(call.id);
    const given = typeof call.index === "number" ? call.index : null;
    this.last = id === null ? (given ?? this.last) : this.placeOf(id, given);
    // Empty strings would overwrite the values of the first piece.
    const { id: _, type, ...rest } = call;
    return { ...rest, index: this.last, ...(id !== null && { id }), ...(textOf(type) && { type }) };
  }

  private placeOf(id: string, given: number | null): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const place = given !== null && !this.taken.has(given) ? given : this.taken.size;
    this.byId.set(id, place);
    this.taken.add(place);
    return place;
  }
}
