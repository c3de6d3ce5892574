import { type ErrorCode, errorCatalogue } from "#contract/error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { isUpstreamFailure } from "#gateway/platform/core/upstream-failures.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { addFigures } from "#gateway/platform/figures/add.ts";
import { countRun, countTry } from "#gateway/platform/figures/count.ts";
import { FigureSums } from "#gateway/platform/figures/sums.ts";
import type { PredictionRow } from "./view.ts";

/** nginx's status for a client that left: whoever asked does not want the result any more. */
const canceledStatus = 499;

/** Counts a prediction that has ended, in the transaction that ends it. */
export async function countPrediction(queries: Queries, row: PredictionRow): Promise<void> {
  const sums = new FigureSums();
  const { accountId, model, createdAt, startedAt, completedAt } = row;
  const ended = completedAt ?? clock.date();
  const code = (row.error?.code ?? "") as ErrorCode | "";
  const status =
    row.status === "succeeded" ? 200 : code === "" ? canceledStatus : errorCatalogue[code].status;
  const provider = row.provider ?? "";
  const region = row.svcRegion;
  const answerMs = startedAt && ended.getTime() - startedAt.getTime();
  const outputs = row.outputs ?? [];
  countRun(
    sums,
    {
      ...{ accountId, kind: "run", model, operation: row.apiType, keyId: row.keyId ?? row.userId ?? "" },
      ...{ provider, region, status, code, answerMs },
      queueMs: startedAt && startedAt.getTime() - createdAt.getTime(),
      bytesIn: row.media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      bytesOut: outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    },
    ended.getTime(),
  );
  // A start that failed was counted when it did.
  if (row.providerRef) {
    const upstream = code !== "" && isUpstreamFailure(code) ? code : "";
    const of = { accountId, provider, model, region, answerMs };
    countTry(sums, { ...of, code: upstream, status: upstream === "" ? 200 : status }, ended.getTime());
  }
  await addFigures(queries, sums);
}
