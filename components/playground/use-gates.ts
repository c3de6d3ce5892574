"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { CatalogModel } from "#contract/catalog.ts";
import { type AttestationCode, gates } from "@/lib/attestations/gates";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";

export type GateState = "none" | "open" | "closed" | "unknown";

/**
 * Whether the account has the attestations that the model requires. The gateway checks again for each run.
 */
export function useGates(model: Pick<CatalogModel, "safety_requirements">) {
  const client = useQueryClient();
  const asked = Object.entries(gates).filter(
    ([, gate]) => gate.kind !== null && model.safety_requirements[gate.flag] === true,
  );
  const statements = useQuery({
    queryKey: [...queryKeys.attestations(), "statements"],
    enabled: asked.length > 0,
    queryFn: async () => {
      const answer = await callRoute("GET /account/attestations");
      // A gateway without this extension checks only when the operation runs.
      return answer.ok ? answer.data.statements : null;
    },
  }).data;
  const missing = statements
    ? asked.filter(([, gate]) => !statements.some(({ kind, active }) => kind === gate.kind && active))
    : [];
  const state: GateState =
    asked.length === 0 ? "none" : !statements ? "unknown" : missing.length > 0 ? "closed" : "open";
  return {
    state,
    /** Gates that are known to be closed, in the gateway's order. */
    missing: missing.map(([code]) => code as AttestationCode),
    refresh: () => void client.invalidateQueries({ queryKey: queryKeys.attestations() }),
  };
}
