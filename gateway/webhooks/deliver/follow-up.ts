import type { Context } from "#gateway/context.ts";
import { newsOf, tellOfEndpoint } from "../news/tell.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { autoDisable, shouldAutoDisable, stopEndpoint } from "./auto-disable.ts";
import type { TouchedEndpoint } from "./save-results.ts";

/**
 * What saved results mean for their endpoints: to stop, to be disabled, to be told of. Each is decided anew in a transaction of
 * its own; what a killed process leaves undone is found at the next result, or by the sweep. Without extensions none stops or is
 * disabled: every delivery has its eight attempts.
 */
export async function followUp(
  context: Context,
  results: readonly AttemptResult[],
  touched: readonly TouchedEndpoint[],
): Promise<void> {
  const { extensions, webhooks } = context.config;
  for (const { attempt, stops } of results)
    if (attempt && stops && extensions) await stopEndpoint(context, { attempt, reason: stops });
  for (const endpoint of touched) {
    if (newsOf(endpoint)) await tellOfEndpoint(context, endpoint.id);
    if (extensions && shouldAutoDisable(endpoint, webhooks.autoDisableAfterMs))
      await autoDisable(context, endpoint.id, endpoint.failingSince);
  }
}
