"use server";

import type {
  OperatorModel,
  OperatorModelCreate,
  OperatorModelDeleted,
  OperatorModelProposal,
  OperatorModelUpdate,
} from "#contract/operator/models.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { changing } from "@/lib/server/gateway/operator";
import {
  bringBackRevision,
  createOwnModel,
  deleteOwnModel,
  proposeOwnModel,
  updateOwnModel,
} from "@/lib/server/gateway/operator-models";
import type { Changed } from "./change.ts";

/** A dry run: what creating the model would make. */
export async function proposeModel(body: OperatorModelCreate): ActionResult<OperatorModelProposal> {
  return { answer: proposeOwnModel(body) };
}

export async function addModel(body: OperatorModelCreate): ActionResult<Changed<OperatorModel>> {
  return { answer: changing(createOwnModel(body)) };
}

export async function changeModel(
  id: string,
  body: OperatorModelUpdate,
): ActionResult<Changed<OperatorModel>> {
  return { answer: changing(updateOwnModel(id, body)) };
}

export async function removeModel(id: string): ActionResult<Changed<OperatorModelDeleted>> {
  return { answer: changing(deleteOwnModel(id)) };
}

export async function restoreRevision(id: string, revision: number): ActionResult<Changed<OperatorModel>> {
  return { answer: changing(bringBackRevision(id, revision)) };
}
