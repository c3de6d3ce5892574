import "server-only";
import type {
  OperatorModel,
  OperatorModelCreate,
  OperatorModelDeleted,
  OperatorModelList,
  OperatorModelProposal,
  OperatorModelRevisionList,
  OperatorModelUpdate,
} from "#contract/operator-models.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";

/** An import asks the provider what the model takes. */
const importMs = 60_000;

/** `<namespace>/<name>` are two segments of the address. */
const model = (id: string) => `/operator/models/${id.split("/").map(encodeURIComponent).join("/")}`;

export function listOwnModels(): Promise<GatewayResult<OperatorModelList>> {
  return requestGateway("/operator/models");
}

export function getOwnModel(id: string): Promise<GatewayResult<OperatorModel>> {
  return requestGateway(model(id));
}

export function createOwnModel(body: OperatorModelCreate): Promise<GatewayResult<OperatorModel>> {
  return requestGateway("/operator/models", { method: "POST", body, timeoutMs: importMs });
}

/** What creating it would make; nothing is saved. */
export function proposeOwnModel(body: OperatorModelCreate): Promise<GatewayResult<OperatorModelProposal>> {
  const proposal = { ...body, dry_run: true };
  return requestGateway("/operator/models", { method: "POST", body: proposal, timeoutMs: importMs });
}

export function updateOwnModel(id: string, body: OperatorModelUpdate): Promise<GatewayResult<OperatorModel>> {
  return requestGateway(model(id), { method: "PATCH", body });
}

export function deleteOwnModel(id: string): Promise<GatewayResult<OperatorModelDeleted>> {
  return requestGateway(model(id), { method: "DELETE" });
}

export function listRevisions(id: string): Promise<GatewayResult<OperatorModelRevisionList>> {
  return requestGateway(`${model(id)}/revisions`);
}

/** A former revision becomes the newest one. */
export function bringBackRevision(id: string, revision: number): Promise<GatewayResult<OperatorModel>> {
  return requestGateway(`${model(id)}/revisions/${revision}/restore`, { method: "POST" });
}
