import "server-only";
import type {
  OperatorModel,
  OperatorModelCreate,
  OperatorModelDeleted,
  OperatorModelProposal,
  OperatorModelRevisionList,
  OperatorModelUpdate,
} from "#contract/operator/models.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";

/** An import asks the provider for the model's schema. */
const importMs = 60_000;

/** The route has two results: with `dry_run` a proposal, otherwise the new model. */
const create = (body: OperatorModelCreate) =>
  requestRoute("POST /operator/models", { body, timeoutMs: importMs });

/** `<namespace>/<name>` takes two segments in the address. */
function paramsOf(id: string) {
  const [namespace = "", name = ""] = id.split("/");
  return { namespace, name };
}

export function getOwnModel(id: string): Promise<GatewayResult<OperatorModel>> {
  return requestRoute("GET /operator/models/{namespace}/{name}", { params: paramsOf(id) });
}

export function createOwnModel(body: OperatorModelCreate): Promise<GatewayResult<OperatorModel>> {
  return create(body) as Promise<GatewayResult<OperatorModel>>;
}

/** A dry run: what creating the model would make. */
export function proposeOwnModel(body: OperatorModelCreate): Promise<GatewayResult<OperatorModelProposal>> {
  return create({ ...body, dry_run: true }) as Promise<GatewayResult<OperatorModelProposal>>;
}

export function updateOwnModel(id: string, body: OperatorModelUpdate): Promise<GatewayResult<OperatorModel>> {
  return requestRoute("PATCH /operator/models/{namespace}/{name}", { params: paramsOf(id), body });
}

export function deleteOwnModel(id: string): Promise<GatewayResult<OperatorModelDeleted>> {
  return requestRoute("DELETE /operator/models/{namespace}/{name}", { params: paramsOf(id) });
}

export function listRevisions(id: string): Promise<GatewayResult<OperatorModelRevisionList>> {
  return requestRoute("GET /operator/models/{namespace}/{name}/revisions", { params: paramsOf(id) });
}

/** Makes a past revision the newest one. */
export function restoreModelRevision(id: string, revision: number): Promise<GatewayResult<OperatorModel>> {
  return requestRoute("POST /operator/models/{namespace}/{name}/revisions/{revision}/restore", {
    params: { ...paramsOf(id), revision: String(revision) },
  });
}
