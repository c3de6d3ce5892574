import type { ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
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
