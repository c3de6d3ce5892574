import { byName } from "#contract/by-name.ts";
import type { Words } from "@/messages/words";
import type { CatalogRow } from "./row.ts";

export const facetNames = [
  "modality",
  "api_type",
  "execution_mode",
  "billing_unit",
  "region",
  "gate",
] as const;

export type FacetName = (typeof facetNames)[number];

/** The chosen values of each filter. An empty list does not filter. */
export type Chosen = Record<FacetName, string[]>;

export interface FacetOption {
  value: string;
  /** How many entries this option would leave, given the search and the other filters. */
  count: number;
}

const valuesOf: Record<FacetName, (row: CatalogRow) => readonly string[]> = {
  modality: (row) => [row.modality],
  api_type: (row) => row.apiTypes,
  execution_mode: (row) => row.executionModes,
  billing_unit: (row) => row.billingUnits,
  region: (row) => row.regions,
  gate: (row) => row.gates,
};

/** Rows that contain every word of `search` and match one of the chosen values of each filter. */
export function filterRows<Row extends CatalogRow>(
  rows: readonly Row[],
  search: string,
  chosen: Chosen,
): Row[] {
  return rows.filter(
    (row) => matchesSearch(row, search) && facetNames.every((facet) => matchesFacet(row, facet, chosen)),
  );
}

/**
 * The options of a filter with their counts. They come from all rows, so that none disappears while the user
 * chooses.
 */
export function facetOptions(
  rows: readonly CatalogRow[],
  facet: FacetName,
  search: string,
  chosen: Chosen,
): FacetOption[] {
  const others = rows.filter(
    (row) =>
      matchesSearch(row, search) &&
      facetNames.every((name) => name === facet || matchesFacet(row, name, chosen)),
  );
  const values = [...new Set(rows.flatMap((row) => valuesOf[facet](row)))].sort();
  return values.map((value) => ({
    value,
    count: others.filter((row) => valuesOf[facet](row).includes(value)).length,
  }));
}

function matchesFacet(row: CatalogRow, facet: FacetName, chosen: Chosen): boolean {
  const wanted = chosen[facet];
  return wanted.length === 0 || valuesOf[facet](row).some((value) => wanted.includes(value));
}

/** Words of a wish such as `remove the background from a photo` that say nothing about the model. */
const fillers = new Set([
  "a",
  "an",
  "and",
  "for",
  "from",
  "i",
  "in",
  "into",
  "my",
  "of",
  "the",
  "to",
  "with",
]);

function wordsOf(search: string): string[] {
  const words = search.toLowerCase().trim().split(/\s+/);
  const telling = words.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : words;
}

function matchesSearch(row: CatalogRow, search: string): boolean {
  const { id, displayName, purpose, modality, apiTypes, keywords } = row;
  const text = [id, displayName ?? "", purpose, modality, ...apiTypes, ...keywords].join(" ").toLowerCase();
  return wordsOf(search).every((word) => text.includes(word));
}

/** The operation of a model that somebody with this search and these filters most likely wants. */
export function wantedOperation(
  { apiTypes, keywords }: CatalogRow,
  search: string,
  chosen: Chosen,
): string | undefined {
  const words = wordsOf(search);
  return (
    apiTypes.find((apiType) => chosen.api_type.includes(apiType)) ??
    apiTypes.find((apiType, at) => words.every((word) => `${apiType} ${keywords[at]}`.includes(word)))
  );
}

export const facetLabels = {
  modality: "modality",
  api_type: "operation",
  execution_mode: "execution",
  billing_unit: "billedPer",
  region: "region",
  gate: "gate",
} as const satisfies Record<FacetName, string>;

const labels = byName({
  none: "noGate",
  adult: "adultAttestation",
  portrait: "portraitRights",
  "per-request": "confirmedPerRequest",
  sync: "sync",
  async: "async",
  "sync-or-stream": "syncOrStream",
  text: "text",
  image: "image",
  audio: "audio",
  video: "video",
  live: "live",
  degraded: "degraded",
  unavailable: "unavailable",
  token: "unitToken",
  character: "unitCharacter",
  second: "unitSecond",
  generation: "unitGeneration",
  operation: "unitOperation",
} as const);

/** The label of a filter's value. Identifiers such as regions and operations stay unchanged. */
export function facetLabel(value: string, t: Words<"catalog">): string {
  const label = labels[value];
  return label ? t(label) : value;
}

/** What an operation is for, in a word or two: `Edit pictures`. */
export function kindLabel(apiType: string, t: Words<"catalog">): string {
  const key = `kind.${apiType}`;
  return t.has(key) ? t.text(key) : apiType;
}
