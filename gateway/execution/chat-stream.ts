import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Context } from "#gateway/context.ts";
import type { ApiError } from "#gateway/http/api-error.ts";
import { drained } from "#gateway/http/drained.ts";
import type { Answer } from "#gateway/http/idempotency.ts";
import type { ChatChunk, Provider, ProviderRequest } from "#gateway/providers/provider.ts";
import { meterOperation } from "#gateway/usage/meter-operation.ts";
import type { Admitted } from "./admit.ts";
import { operationHeaders, unixNow } from "./answers.ts";
import { createTranscript, type Transcript } from "./chat-transcript.ts";
import { asApiError, dispatch } from "./dispatch.ts";

/** Headers go out at the first upstream byte or after this, whichever comes first. */
const commitAfterMs = 10_000;
const keepaliveMs = 15_000;
/** A client that reads nothing for so long has left its run. */
const stalledMs = 60_000;

interface Opened {
  iterator: AsyncIterator<ChatChunk>;
  first: IteratorResult<ChatChunk>;
}

/**
 * Streams a chat as OpenAI's chunks. Before the headers are committed a failure is an ordinary error answer; after it
 * is sent in the stream, which then ends without `[DONE]`. Returns the completion, for replays where it is whole.
 */
export async function streamChat(
  context: Context,
  admitted: Admitted,
  request: ProviderRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const created = unixNow();
  const transcript = createTranscript(request);
  const opening = dispatch<Opened>(context, request, async (provider) => {
    const iterator = provider.stream(request)[Symbol.asyncIterator]();
    return { iterator, first: await iterator.next() };
  });
  const early = await Promise.race([opening, waitFor(commitAfterMs)]);
  const wire = commit(reply, admitted, request.id, early?.provider ?? null);
  let isWhole = false;
  try {
    const { result } = early ?? (await opening);
    isWhole = await forward(wire, result, { admitted, request, created, transcript });
  } catch (error) {
    if (!request.signal.aborted) {
      context.catalog.report(request.model.id, request.region, "failure");
      await interrupt(wire, asApiError(error), reply.request.id);
    }
  } finally {
    wire.end();
    // Of a run that failed before its first word nothing is owed.
    if (transcript.choices().length > 0)
      meterOperation(context, {
        accountId: request.accountId,
        keyId: admitted.actor.kind === "key" ? admitted.actor.id : null,
        model: request.model.id,
        usage: { unit: "token", quantity: transcript.usage().total_tokens },
      });
  }
  const body = chatObject(admitted, request.id, created, transcript);
  return { status: 200, headers: {}, body, ...(!isWhole && { isPartial: true }) };
}

/** A stored completion as a stream of one chunk, for a replayed `Idempotency-Key`. */
export async function replayChat(reply: FastifyReply, admitted: Admitted, body: unknown): Promise<void> {
  const completion = body as {
    id: string;
    choices: { message: Record<string, unknown>; finish_reason: string }[];
  };
  const wire = commit(reply, admitted, completion.id, null, { "idempotent-replayed": "true" });
  const choices = completion.choices.map(({ message, finish_reason }, index) => {
    const calls = message.tool_calls as object[] | undefined;
    const delta = calls
      ? { ...message, tool_calls: calls.map((call, at) => ({ index: at, ...call })) }
      : message;
    return { index, delta, finish_reason };
  });
  await wire.write(
    `data: ${JSON.stringify({ ...completion, object: "chat.completion.chunk", choices })}\n\n`,
  );
  await wire.write("data: [DONE]\n\n");
  wire.end();
}

interface Wire {
  write(text: string): Promise<void>;
  end(): void;
}

function commit(
  reply: FastifyReply,
  admitted: Admitted,
  id: string,
  provider: Provider | null,
  extra: Record<string, string> = {},
): Wire {
  const known = provider ? operationHeaders(admitted, id, provider) : { "x-svc-region": admitted.region };
  reply.headers({
    ...known,
    ...extra,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  const headers = reply.getHeaders();
  const raw: ServerResponse = reply.raw;
  raw.writeHead(200, headers as Record<string, string>);
  reply.hijack();
  raw.flushHeaders();
  // Not to one that does not read: a write would prolong the wait for it.
  const keepalive = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(": keepalive\n\n");
  }, keepaliveMs);
  return {
    async write(text) {
      if (raw.destroyed) return;
      keepalive.refresh();
      if (!raw.write(text) && !(await drained(raw, { idleMs: stalledMs }))) raw.destroy();
    },
    end() {
      clearInterval(keepalive);
      raw.end();
    },
  };
}

interface Run {
  admitted: Admitted;
  request: ProviderRequest;
  created: number;
  transcript: Transcript;
}

/** Whether the client got all of it. */
async function forward(wire: Wire, opened: Opened, run: Run): Promise<boolean> {
  const { admitted, request, created, transcript } = run;
  const options = admitted.body.stream_options as { include_usage?: boolean } | undefined;
  const stamp = {
    id: request.id,
    object: "chat.completion.chunk",
    created,
    model: request.model.id,
    svc_region: request.region,
  };
  for (let step = opened.first; !step.done; step = await opened.iterator.next()) {
    const chunk = step.value;
    transcript.add(chunk);
    if (chunk.choices.length > 0)
      await wire.write(`data: ${JSON.stringify({ ...stamp, choices: chunk.choices })}\n\n`);
    if (request.signal.aborted) return false;
  }
  if (options?.include_usage)
    await wire.write(`data: ${JSON.stringify({ ...stamp, choices: [], usage: transcript.usage() })}\n\n`);
  await wire.write("data: [DONE]\n\n");
  return true;
}

async function interrupt(wire: Wire, error: ApiError, requestId: string): Promise<void> {
  const body = error.body(requestId);
  const code = error.status >= 500 ? "upstream_stream_interrupted" : error.code;
  await wire.write(`data: ${JSON.stringify({ error: { ...body.error, code } })}\n\n`);
}

function chatObject(
  admitted: Admitted,
  id: string,
  created: number,
  transcript: Transcript,
): Record<string, unknown> {
  return {
    id,
    object: "chat.completion",
    created,
    model: admitted.compiled.model.id,
    svc_region: admitted.region,
    choices: transcript.choices(),
    usage: transcript.usage(),
  };
}

function waitFor(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref());
}
