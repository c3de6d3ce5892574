import type { ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { type ResponseRequest, readResponse } from "../request.ts";

/** A response in the background, read as one that is made at once, and as a whole: its events are made of what is stored. */
export async function readBackground(
  context: Context,
  actor: Actor,
  body: ResponseCreate,
): Promise<ResponseRequest> {
  const read = await readResponse(context, actor, { ...body, background: false, stream: null });
  return { ...read, settings: { ...read.settings, background: true } };
}
