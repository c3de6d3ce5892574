"use server";

import type { Batch, BatchPick, BatchResume, BatchRetry } from "#contract/batches.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function pauseBatch(id: string): ActionResult<Batch> {
  return { answer: requestRoute("POST /batches/{id}/pause", { params: { id } }) };
}

export async function resumeBatch(id: string, body: BatchResume | null = null): ActionResult<Batch> {
  return { answer: requestRoute("POST /batches/{id}/resume", { params: { id }, body }) };
}

export async function stopBatch(id: string): ActionResult<Batch> {
  return { answer: requestRoute("POST /batches/{id}/stop", { params: { id } }) };
}

export async function runFailedAgain(id: string, body: BatchRetry): ActionResult<Batch> {
  return { answer: requestRoute("POST /batches/{id}/retry_failed", { params: { id }, body }) };
}

export async function pickRow(id: string, body: BatchPick): ActionResult<Batch> {
  return { answer: requestRoute("POST /batches/{id}/pick", { params: { id }, body }) };
}
