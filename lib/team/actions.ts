"use server";

import type { AttestationDesk } from "@/lib/attestations/gates";
import type { ActionResult } from "@/lib/gateway/result";
import { getAttestationDesk } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";

/** Makes another owner or admin responsible for these service keys. Stops at the first failure. */
export async function handOverKeys(keyIds: readonly string[], userId: string): ActionResult<null> {
  return { answer: handOver(keyIds, userId) };
}

async function handOver(keyIds: readonly string[], userId: string) {
  // Anybody can call an action with anything.
  for (const id of [keyIds].flat()) {
    const changed = await requestRoute("PATCH /keys/{id}", { params: { id }, body: { answered_by: userId } });
    if (!changed.ok) return changed;
  }
  return { ok: true as const, data: null };
}

/** What a person confirms before a model with gates runs, and what they have confirmed already. */
export async function loadAttestationDesk(): ActionResult<AttestationDesk> {
  return { answer: getAttestationDesk() };
}
