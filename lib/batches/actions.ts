"use server";

import type { Batch, BatchRetry } from "#contract/batches.ts";
import type { Acting } from "@/lib/gateway/result";
import { actOnBatch, retryFailedRows } from "@/lib/server/gateway/batches";

export async function pauseBatch(id: string): Acting<Batch> {
  return { answer: actOnBatch(id, "pause") };
}

export async function resumeBatch(id: string): Acting<Batch> {
  return { answer: actOnBatch(id, "resume") };
}

export async function stopBatch(id: string): Acting<Batch> {
  return { answer: actOnBatch(id, "stop") };
}

export async function runFailedAgain(id: string, body: BatchRetry): Acting<Batch> {
  return { answer: retryFailedRows(id, body) };
}
