"use server";

import type { ActionResult } from "@/lib/gateway/result";
import { getAttestationDesk } from "@/lib/server/gateway/reads";
import type { AttestationDesk } from "./gates.ts";

export async function loadAttestationDesk(): ActionResult<AttestationDesk> {
  return { answer: getAttestationDesk() };
}
