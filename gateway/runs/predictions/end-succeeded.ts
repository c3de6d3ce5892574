import type { ApiType } from "#contract/catalog-constants.ts";
import type { AskedGuard } from "#contract/usage.ts";
import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import type { StoredOutput, UncheckedRun } from "#gateway/platform/database/tables/predictions.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { outputCheck } from "#gateway/runs/guards/output.ts";
import { updateLeased } from "./lease.ts";
import { removeUnlessKept } from "./run-files.ts";
import { type Outcome, settle } from "./settle.ts";
import type { PredictionRow } from "./view.ts";

/** How often guards are asked about a prediction while one of them fails, as about a row of a batch. */
const maxQuestions = 6;
const askAgain: RetrySchedule = { firstMs: 3_000, factor: 2 };

/**
 * Ends a prediction whose outputs are stored, as guards allow it. Its row says that it waits for them: after a crash
 * they are asked again, and nothing runs again. Returns the milliseconds until they are asked again after one of them
 * failed; null when the prediction is settled or no longer ours.
 */
export async function endSucceeded(
  context: RunsContext,
  row: PredictionRow,
  request: ProviderRequest,
  outputs: StoredOutput[],
  unchecked: UncheckedRun,
): Promise<number | null> {
  const guards: AskedGuard[] = [];
  const run = askedRun(row, request);
  const check = outputCheck(context, await context.guards.of(row.accountId), run, (asked) =>
    guards.push(asked),
  );
  const { usage, failures } = unchecked;
  const end = async (outcome: Outcome): Promise<null> => {
    const settled = await settle(context, row.id, outcome);
    if (!settled || outcome.status === "failed") await removeUnlessKept(context, row.id, outputs);
    return null;
  };
  if (check) {
    if (row.unchecked === null && !(await updateLeased(context, row.id, { unchecked }))) {
      await removeUnlessKept(context, row.id, outputs);
      return null;
    }
    try {
      await check.files(outputs);
    } catch (error) {
      if (!(error instanceof ApiError) || error !== check.refusal) throw error;
      const { code, message } = error;
      if (code !== "guard_unavailable" || failures + 1 >= maxQuestions)
        return end({ status: "failed", code, message, ran: { usage, outputs }, guards });
      await updateLeased(context, row.id, { unchecked: { usage, failures: failures + 1 } });
      return retryWaitMs(askAgain, failures + 1);
    }
  }
  return end({ status: "succeeded", outputs, usage, guards });
}

function askedRun(row: PredictionRow, { model, signal, log }: ProviderRequest) {
  return {
    ...{ model, signal, log, runId: row.id, requestId: row.requestId, accountId: row.accountId },
    ...{ keyId: row.keyId, userId: row.userId, actor: null, apiType: row.apiType as ApiType },
    ...{ alias: row.alias, region: row.svcRegion, metadata: row.metadata },
  };
}
