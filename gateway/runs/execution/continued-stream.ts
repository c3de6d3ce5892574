import type { RunUsage } from "#gateway/billing/usage/lines.ts";
import type { Context } from "#gateway/context.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import type { ChatChunk, ChatUsage, Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { upstreamErrorOf } from "#gateway/platform/core/provider-error.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { type Attempts, reasonToGoOn } from "#gateway/runs/operations/attempts.ts";
import type { Candidates } from "#gateway/runs/operations/candidates.ts";
import { createTranscript, type Transcript } from "#gateway/runs/operations/chat-transcript.ts";
import type { Begun } from "#gateway/runs/operations/dispatch.ts";
import type { OpenedChat } from "#gateway/runs/operations/first-content.ts";
import { withSyncRequest } from "#gateway/runs/operations/sync-request.ts";
import { withBudget } from "#gateway/runs/operations/with-budget.ts";

/** The part of a streamed answer that one upstream wrote. */
export interface Part {
  admitted: Admitted;
  served: Begun<OpenedChat>;
  transcript: Transcript;
  /** Usage and cost; null until the part has ended. */
  run: RunUsage | null;
  usage: ChatUsage | null;
}

/** A stream that broke after its first content. */
interface BrokenStream {
  part: Part;
  failure: ApiError;
  /** Everything that the caller has read. */
  transcript: Transcript;
  attempts: Attempts;
  candidates: Candidates;
}

interface Hands {
  open(
    asked: Admitted,
    request: ProviderRequest,
    accepts: (provider: Provider) => boolean,
  ): Promise<Begun<OpenedChat>>;
  say(part: Part, shape: (chunk: ChatChunk) => ChatChunk): Promise<boolean>;
}

/**
 * Whether a second upstream is allowed to continue the answer: only plain text, and not in the upstream's own
 * events.
 */
export function mayBeContinued({ input, native }: ProviderRequest, { speaks }: Provider): boolean {
  const { n, logprobs, response_format: format } = input;
  const isPlain = (recordOf(format).type ?? "text") === "text";
  const isNative = native !== undefined && speaks === native.protocol;
  return isPlain && !isNative && (n ?? 1) === 1 && logprobs !== true;
}

/**
 * Continues a broken stream with the next route or model that accepts a prefilled answer; text that was sent
 * is not sent again. Throws the failure that broke it if nothing can continue it. Returns false if the client
 * has disconnected.
 */
export async function continueStream(
  context: Context,
  { part, failure, transcript, attempts, candidates }: BrokenStream,
  { signal, log }: Pick<ProviderRequest, "signal" | "log">,
  { open, say }: Hands,
): Promise<boolean> {
  const { provider, request } = part.served;
  const isWanted = provider.continuesStreams || attempts.continuesStreams;
  const text = isWanted && mayBeContinued(request, provider) ? begunText(transcript) : null;
  const reason = reasonToGoOn(failure, true);
  if (text === null || reason === null || !attempts.mayTry) throw failure;
  const { model, region, key = null } = request;
  attempts.trace.failed({ model: model.id, region, key }, failure.code, upstreamErrorOf(failure)?.status);
  attempts.failed(reason);
  // Some models refuse a prefilled answer that ends with a space, so trailing spaces are cut; the next part
  // then starts with the space.
  const prefilled = text.trimEnd();
  const shape = continuing(text.slice(prefilled.length), model.id);
  const spent = transcript.usage().completion_tokens;
  const accepts = (next: Provider) => next !== provider && next.acceptsPrefill === true;
  for (const admit of candidates.continuations(part.admitted, prefilled, spent)) {
    let hasBegun = false;
    try {
      const admitted = await admit();
      return await withBudget(context, admitted, (run) =>
        withSyncRequest(context, admitted, run, { signal, log }, async (asked) => {
          const served = await open(admitted, asked, accepts);
          hasBegun = true;
          const next = { admitted, served, transcript: createTranscript(asked), run: null, usage: null };
          return say(next, shape(served.request.model.id));
        }),
      );
    } catch (error) {
      if (signal.aborted) return false;
      const isOver = hasBegun || !attempts.mayTry || reasonToGoOn(error, true) === null;
      if (isOver || !(error instanceof ApiError)) throw failure;
    }
  }
  throw failure;
}

/**
 * The text of an answer that can be continued; null if the answer has a tool call, has no text yet, or has
 * ended.
 */
function begunText(transcript: Transcript): string | null {
  const [choice, ...others] = transcript.choices();
  if (!choice || others.length > 0 || choice.finish_reason !== null) return null;
  const { content, tool_calls: calls, refusal } = choice.message;
  return content && !calls && !refusal ? content : null;
}

/**
 * Makes the chunks of a part follow the earlier ones: without a second opening chunk, and without spaces that
 * were already sent.
 */
function continuing(sentSpaces: string, first: string): (second: string) => (chunk: ChatChunk) => ChatChunk {
  return (second) => {
    let owed = sentSpaces;
    let isFirst = true;
    return (chunk) => {
      const choices = chunk.choices.map(({ delta: { role: _, ...delta }, ...choice }) => {
        if (typeof delta.content !== "string" || owed === "") return { ...choice, delta };
        let same = 0;
        while (same < owed.length && delta.content[same] === owed[same]) same += 1;
        const content = delta.content.slice(same);
        owed = content === "" && same > 0 ? owed.slice(same) : "";
        return { ...choice, delta: { ...delta, content } };
      });
      const isMarked = isFirst && choices.length > 0;
      if (isMarked) isFirst = false;
      return { ...chunk, choices, ...(isMarked && { continued: [first, second] }) };
    };
  };
}
