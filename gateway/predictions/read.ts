import { and, eq, gte, lte } from "drizzle-orm";
import type { List } from "#contract/list.ts";
import type { Prediction, PredictionQuery } from "#contract/prediction.ts";
import type { Context } from "#gateway/context.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { predictions } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { type PredictionRow, predictionView } from "./view.ts";

/** The account's prediction. Throws `prediction_not_found`, also for another account's. */
export async function findPrediction(
  context: Context,
  accountId: string,
  id: string,
): Promise<PredictionRow> {
  const [row] = await context.database.queries
    .select()
    .from(predictions)
    .where(and(eq(predictions.id, id), eq(predictions.accountId, accountId)));
  if (!row) throw new ApiError("prediction_not_found", `There is no prediction ${id}.`);
  return row;
}

/** The prediction that a request made, if its process lived to write it. */
export async function findPredictionOfRequest(
  context: Context,
  accountId: string,
  requestId: string,
): Promise<PredictionRow | null> {
  const [row] = await context.database.queries
    .select()
    .from(predictions)
    .where(and(eq(predictions.requestId, requestId), eq(predictions.accountId, accountId)));
  return row ?? null;
}

export async function listPredictions(
  context: Context,
  accountId: string,
  query: PredictionQuery,
): Promise<List<Prediction>> {
  const page = keyset(predictions.id, query, [
    eq(predictions.accountId, accountId),
    query.status === undefined ? undefined : eq(predictions.status, query.status),
    query.model === undefined ? undefined : eq(predictions.model, query.model),
    query.api_type === undefined ? undefined : eq(predictions.apiType, query.api_type),
    query.svc_region === undefined ? undefined : eq(predictions.svcRegion, query.svc_region),
    query.created_after === undefined ? undefined : gte(predictions.createdAt, new Date(query.created_after)),
    query.created_before === undefined
      ? undefined
      : lte(predictions.createdAt, new Date(query.created_before)),
  ]);
  const rows = await context.database.queries
    .select()
    .from(predictions)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  return listOf(page, rows, (row) => predictionView(context, row));
}
