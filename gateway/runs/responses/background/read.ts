import type { ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { type ResponseRequest, readResponse } from "../request.ts";

/** Reads a background response as if it were made directly; its events are rebuilt from the stored ones. */
export async function readBackground(
  context: Context,
  actor: Actor,
  body: ResponseCreate,
): Promise<ResponseRequest> {
  const read = await readResponse(context, actor, { ...body, background: false, stream: null });
  return { ...read, settings: { ...read.settings, background: true } };
}
