"use server";

import type { OperatorModel, OperatorModelCreate, OperatorModelProposal } from "#contract/operator/models.ts";
import type { ActionResult, GatewayResult } from "@/lib/gateway/result";
import { withChangeId } from "@/lib/server/gateway/by-click";
import { requestRoute } from "@/lib/server/gateway/request";
import type { Changed } from "./change.ts";

/** An import asks the provider for the model's schema. */
const importMs = 60_000;

/** The route has two results: with `dry_run` a proposal, otherwise the new model. */
const create = (body: OperatorModelCreate) =>
  requestRoute("POST /operator/models", { body, timeoutMs: importMs });

/** A dry run: what creating the model would make. */
export async function proposeModel(body: OperatorModelCreate): ActionResult<OperatorModelProposal> {
  return { answer: create({ ...body, dry_run: true }) as Promise<GatewayResult<OperatorModelProposal>> };
}

export async function addModel(body: OperatorModelCreate): ActionResult<Changed<OperatorModel>> {
  return { answer: withChangeId(create(body) as Promise<GatewayResult<OperatorModel>>) };
}
