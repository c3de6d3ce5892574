"use server";

import type {
  OperatorModel,
  OperatorModelCreate,
  OperatorModelDeleted,
  OperatorModelProposal,
  OperatorModelUpdate,
} from "#contract/operator/models.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { withChangeId } from "@/lib/server/gateway/operator";
import {
  createOwnModel,
  deleteOwnModel,
  proposeOwnModel,
  restoreModelRevision,
  updateOwnModel,
} from "@/lib/server/gateway/operator-models";
import type { Changed } from "./change.ts";

/** A dry run: what creating the model would make. */
export async function proposeModel(body: OperatorModelCreate): ActionResult<OperatorModelProposal> {
  return { answer: proposeOwnModel(body) };
}

export async function addModel(body: OperatorModelCreate): ActionResult<Changed<OperatorModel>> {
  return { answer: withChangeId(createOwnModel(body)) };
}

export async function changeModel(
  id: string,
  body: OperatorModelUpdate,
): ActionResult<Changed<OperatorModel>> {
  return { answer: withChangeId(updateOwnModel(id, body)) };
}

export async function removeModel(id: string): ActionResult<Changed<OperatorModelDeleted>> {
  return { answer: withChangeId(deleteOwnModel(id)) };
}

export async function restoreRevision(id: string, revision: number): ActionResult<Changed<OperatorModel>> {
  return { answer: withChangeId(restoreModelRevision(id, revision)) };
}
