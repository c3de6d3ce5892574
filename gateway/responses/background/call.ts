import type { ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import type { OperationInput } from "#gateway/operations/admit.ts";
import { type ResponseRequest, readResponse } from "../request.ts";

/** A response in the background, read as one that is made at once. */
export async function readBackground(
  context: Context,
  actor: Actor,
  body: ResponseCreate,
): Promise<ResponseRequest> {
  const read = await readResponse(context, actor, { ...body, background: false });
  return { ...read, settings: { ...read.settings, background: true } };
}

/** The chat that makes it. */
export function chatCall({ chat, ignored }: ResponseRequest): OperationInput {
  return {
    apiType: "chat-completions",
    body: chat,
    native: { protocol: "responses", body: null, betas: null, ignored },
  };
}
