import type { ResponseCreate } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { type ResponseRequest, readResponse } from "../request.ts";

/**
 * Formats a finished background response like one that was streamed directly; its events are rebuilt from the
 * stored ones.
 */
export async function readBackground(
  context: Context,
  actor: Actor,
  body: ResponseCreate,
): Promise<ResponseRequest> {
  if (body.store === false)
    throw new ApiError(
      "invalid_parameter",
      "A response in the background must be stored: leave store out, or set it to true.",
      { param: "store" },
    );
  const read = await readResponse(context, actor, { ...body, background: false, stream: null });
  return { ...read, settings: { ...read.settings, background: true } };
}
