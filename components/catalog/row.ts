import type { ReactNode } from "react";
import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import type { Words } from "@/messages/words";
import { keywordsOf, purposeOf } from "./purpose.ts";

/** The attestations that an entry requires. */
export type GateName = "none" | "adult" | "portrait" | "per-request";

/** The part of an entry that the list needs. The schemas stay on the server. */
export interface CatalogRow {
  id: string;
  /** The display name that an operator gave. */
  displayName: string | null;
  /** The purpose in one line. */
  purpose: string;
  modality: string;
  /** URL of an operator's picture. Null: the console's picture or an icon is used. */
  coverUrl: string | null;
  apiTypes: string[];
  executionModes: string[];
  billingUnits: string[];
  /** The regions where a provider or the sandbox runs the entry. */
  regions: string[];
  healthyRegions: string[];
  gates: GateName[];
  latestReleaseAt: string;
  /** Words that each operation is also found by. */
  keywords: string[];
}

/** A row with everything on its card that the server makes. */
export interface CatalogCard extends CatalogRow {
  cover: ReactNode;
  /** Null if all models cost nothing, because the page says that once, or if the account's prices are unknown. */
  price: ReactNode;
  /** The account's runs in the last 30 days. */
  runs: number;
  /** The typical time of a run. Null: there are too few. */
  typicalMs: number | null;
}

/** Reduces an entry to its row. `showsMedia`: whether pages may show media from a URL. */
export function rowOf(
  t: Words<"purposes">,
  model: CatalogModel,
  showsMedia: (url: string) => boolean,
): CatalogRow {
  const apiTypes = [...new Set(model.operations.map((operation) => operation.api_type))];
  return {
    id: model.id,
    displayName: model.display_name ?? null,
    purpose: model.description ?? purposeOf(t, model.id, model.api_types),
    modality: model.modality,
    coverUrl: model.cover_url && showsMedia(model.cover_url) ? model.cover_url : null,
    apiTypes,
    executionModes: [...new Set(model.operations.map((operation) => operation.execution_mode))],
    billingUnits: [...new Set(model.operations.map((operation) => operation.billing_unit))],
    regions: model.available_regions.filter((region) => isServed(model, region)),
    healthyRegions: model.healthy_regions,
    gates: gatesOf(model),
    latestReleaseAt: model.latest_release_at,
    keywords: apiTypes.map((apiType) => keywordsOf(t, apiType)),
  };
}

function isServed({ operations }: CatalogModel, region: string): boolean {
  return operations.some(({ deployments }) =>
    deployments.some(({ gateway_region, svc_served_by: by }) => gateway_region === region && by !== "none"),
  );
}

/** Kinds of operations in the order in which people try them. */
export const kindsByInterest: readonly string[] = [
  "image-generation",
  "chat-completions",
  "image-editing",
  "video-generation",
  "text-to-speech",
  "audio-transcription",
  "voice-management",
  "embeddings",
  "rerank",
] satisfies ApiType[];

/**
 * Compares two rows for the list that people see first: models without a gate, then by the kind of their first
 * operation, the latest release first.
 */
export function byInterest(one: CatalogRow, other: CatalogRow): number {
  const gated = ({ gates }: CatalogRow) => Number(gates[0] !== "none");
  const kind = ({ apiTypes: [first = ""] }: CatalogRow) => kindsByInterest.indexOf(first);
  return (
    gated(one) - gated(other) ||
    kind(one) - kind(other) ||
    other.latestReleaseAt.localeCompare(one.latestReleaseAt)
  );
}

export const catalogOrders = ["suggested", "used", "newest", "fastest"] as const;

const orders: Record<(typeof catalogOrders)[number], (one: CatalogCard, other: CatalogCard) => number> = {
  suggested: byInterest,
  used: (one, other) => other.runs - one.runs,
  newest: (one, other) => other.latestReleaseAt.localeCompare(one.latestReleaseAt),
  fastest: (one, other) =>
    (one.typicalMs ?? Number.POSITIVE_INFINITY) - (other.typicalMs ?? Number.POSITIVE_INFINITY) || 0,
};

/** Rows in this order; equal ones stay as they are. */
export function inOrder(rows: readonly CatalogCard[], order: (typeof catalogOrders)[number]): CatalogCard[] {
  return rows.toSorted(orders[order]);
}

/** Address of the playground for one of the entry's operations, the first by default. */
export function playgroundOf(
  { id, apiTypes }: Pick<CatalogRow, "id" | "apiTypes">,
  apiType = apiTypes[0] ?? "",
): string {
  return `/playground/${id}/${apiType}`;
}

/** The gates of an entry, or `none`, so that a filter also finds entries without a gate. */
export function gatesOf(model: Pick<CatalogModel, "safety_requirements">): GateName[] {
  const flags = model.safety_requirements;
  const gates: GateName[] = [];
  if (flags.adult_attestation_required) gates.push("adult");
  if (flags.portrait_rights_attestation_required) gates.push("portrait");
  if (flags.per_request_person_rights_confirmation_required) gates.push("per-request");
  return gates.length > 0 ? gates : ["none"];
}

/** More models would not fit side by side. */
export const maxCompared = 4;
