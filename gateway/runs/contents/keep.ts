import type { ApiType } from "#contract/catalog.ts";
import type { ErrorBody } from "#contract/error.ts";
import type { ApiError } from "#gateway/platform/core/api-error.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { openingOf, textOfContent } from "./text.ts";

/** What a run did, for its content. */
export interface Ran {
  admitted: Admitted;
  runId: string;
  /** Null for a row of a batch. */
  requestId: string | null;
  /** The body of its answer, whole or cut; null without one. */
  answer: unknown;
  /** The error that the caller got. */
  failure: Pick<ErrorBody["error"], "code" | "message"> | null;
  /** Whether the answer broke off, or its caller left. */
  isCut: boolean;
}

/** A run for which no request waits. */
export function ranUnattended(
  admitted: Admitted,
  runId: string,
  answer: unknown,
  failure: ApiError | null,
): Ran {
  const cause = failure && { code: failure.code, message: failure.message };
  return {
    admitted,
    runId,
    answer,
    failure: cause,
    ...{ requestId: null, isCut: false },
  };
}

/** What a value takes beside its text. */
const bytesOfValue = 16;

/** Keeps what a run was sent and what it answered, if its account, its key and its caller allow that. */
export function keepContent(
  { contents }: Pick<RunsContext, "contents">,
  { admitted, runId, requestId, answer, failure, isCut }: Ran,
): void {
  if (admitted.contents !== "kept") return;
  const { actor, compiled, body, metadata, changes } = admitted;
  const { api_type: apiType } = compiled.operation;
  // What is not kept must not wait in memory.
  const output = outputOf(apiType, answer);
  const isStored = apiType === "chat-completions" && body.store === true && output !== null;
  const weight = weightOf(body) + weightOf(output);
  contents.add({
    id: runId,
    accountId: actor.accountId,
    requestId,
    keyId: actor.kind === "key" ? actor.id : null,
    userId: actor.userId,
    model: compiled.model.id,
    apiType,
    isStored,
    metadata,
    weight,
    read: () => ({
      text: textOfContent({ input: body, output, failure, isCut, changes }),
      opening: openingOf(apiType, body),
    }),
  });
}

/** Roughly how many bytes the texts of a JSON value take in memory. */
function weightOf(value: unknown): number {
  let weight = 0;
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string") weight += one.length;
    else if (ArrayBuffer.isView(one)) weight += one.byteLength;
    else if (typeof one === "object" && one !== null) for (const part of Object.values(one)) left.push(part);
    weight += bytesOfValue;
  }
  return weight;
}

/** The part of an answer that is text. Files, vectors and addresses of files are never kept here. */
function outputOf(apiType: ApiType, answer: unknown): unknown {
  if (answer === null || answer === undefined) return null;
  switch (apiType) {
    case "chat-completions": {
      const { native: _, ...completion } = answer as Record<string, unknown>;
      return completion;
    }
    case "audio-transcription":
      return Buffer.isBuffer(answer) ? { text: answer.toString() } : answer;
    default:
      return null;
  }
}
