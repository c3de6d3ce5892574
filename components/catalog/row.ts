import type { ReactNode } from "react";
import type { CatalogModel } from "#contract/catalog.ts";
import { purposeOf } from "./purpose.ts";

/** What an entry asks of the account before it runs. */
export type GateName = "none" | "adult" | "portrait" | "per-request";

/** What the list needs of an entry; the schemas stay on the server. */
export interface CatalogRow {
  id: string;
  /** The name that an operator gave it. */
  displayName: string | null;
  /** In one line, what it is for. */
  purpose: string;
  modality: string;
  /** The address of an operator's picture of it; null: that of the console, or a sign of its kind. */
  coverUrl: string | null;
  apiTypes: string[];
  executionModes: string[];
  billingUnits: string[];
  regions: string[];
  healthyRegions: string[];
  gates: GateName[];
  latestReleaseAt: string;
}

/** A row with the picture of its card, which the server draws. */
export type CatalogCard = CatalogRow & { cover: ReactNode };

/** Cuts an entry down to its row. `showsMedia` says whether pages may show what is at an address. */
export function rowOf(model: CatalogModel, showsMedia: (url: string) => boolean): CatalogRow {
  return {
    id: model.id,
    displayName: model.display_name ?? null,
    purpose: model.description ?? purposeOf(model.id, model.api_types),
    modality: model.modality,
    coverUrl: model.cover_url && showsMedia(model.cover_url) ? model.cover_url : null,
    apiTypes: [...new Set(model.operations.map((operation) => operation.api_type))],
    executionModes: [...new Set(model.operations.map((operation) => operation.execution_mode))],
    billingUnits: [...new Set(model.operations.map((operation) => operation.billing_unit))],
    regions: model.available_regions,
    healthyRegions: model.healthy_regions,
    gates: gatesOf(model),
    latestReleaseAt: model.latest_release_at,
  };
}

/** Where its first operation is tried. */
export function playgroundOf({ id, apiTypes }: Pick<CatalogRow, "id" | "apiTypes">): string {
  return `/playground/${id}/${apiTypes[0] ?? ""}`;
}

/** The gates of an entry, `none` when it has none, so that every entry can be found by one. */
export function gatesOf(model: Pick<CatalogModel, "safety_requirements">): GateName[] {
  const flags = model.safety_requirements;
  const gates: GateName[] = [];
  if (flags.adult_attestation_required) gates.push("adult");
  if (flags.portrait_rights_attestation_required) gates.push("portrait");
  if (flags.per_request_person_rights_confirmation_required) gates.push("per-request");
  return gates.length > 0 ? gates : ["none"];
}
