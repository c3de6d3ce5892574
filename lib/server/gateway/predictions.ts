import "server-only";
import type { List } from "#contract/list.ts";
import type { Prediction, PredictionQuery } from "#contract/prediction.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";
import type { Filter } from "./send.ts";

const prediction = (id: string) => `/predictions/${encodeURIComponent(id)}`;

export function listPredictions(
  query: Filter<PredictionQuery> = {},
): Promise<GatewayResult<List<Prediction>>> {
  return requestGateway("/predictions", { query });
}

export function getPrediction(id: string): Promise<GatewayResult<Prediction>> {
  return requestGateway(prediction(id));
}

export function cancelPrediction(id: string): Promise<GatewayResult<Prediction>> {
  return requestGateway(`${prediction(id)}/cancel`, { method: "POST", body: {} });
}
