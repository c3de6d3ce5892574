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

/** An import asks the provider what the model takes. */
const importMs = 60_000;

/** The route has two answers: with `dry_run` what would be made, otherwise what was. */
const create = (body: OperatorModelCreate) =>
  requestRoute("POST /operator/models", { body, timeoutMs: importMs });

/** `<namespace>/<name>` are two segments of the address. */
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

/** What creating it would make; nothing is saved. */
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

/** A former revision becomes the newest one. */
export function bringBackRevision(id: string, revision: number): Promise<GatewayResult<OperatorModel>> {
  return requestRoute("POST /operator/models/{namespace}/{name}/revisions/{revision}/restore", {
    params: { ...paramsOf(id), revision: String(revision) },
  });
}
