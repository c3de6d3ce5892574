import type { FacetName } from "./facets.ts";

export const facetLabels: Record<FacetName, string> = {
  modality: "Modality",
  api_type: "Operation",
  execution_mode: "Execution",
  billing_unit: "Billed per",
  region: "Region",
  gate: "Gate",
};

const labels: Record<string, string> = {
  none: "No gate",
  adult: "Adult attestation",
  portrait: "Portrait rights",
  "per-request": "Confirmed per request",
  "sync-or-stream": "sync or stream",
};

/** The label of a filter's value. Identifiers such as regions and operations stay unchanged. */
export function facetLabel(value: string): string {
  return labels[value] ?? value;
}
