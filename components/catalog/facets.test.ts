import { describe, expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { type Chosen, facetOptions, filterRows, wantedOperation } from "./facets.ts";
import { keywordsOf } from "./purpose.ts";
import type { CatalogRow } from "./row.ts";

const nothing: Chosen = {
  modality: [],
  api_type: [],
  execution_mode: [],
  billing_unit: [],
  region: [],
  gate: [],
};

function row(id: string, more: Partial<CatalogRow>): CatalogRow {
  return {
    id,
    displayName: null,
    coverUrl: null,
    purpose: "Video from a prompt.",
    modality: "video",
    apiTypes: ["video-generation"],
    executionModes: ["async"],
    billingUnits: ["second"],
    regions: ["us-virginia"],
    healthyRegions: ["us-virginia"],
    gates: ["none"],
    latestReleaseAt: "2026-01-01",
    keywords: (more.apiTypes ?? ["video-generation"]).map((kind) => keywordsOf(english("purposes"), kind)),
    ...more,
  };
}

const rows = [
  row("svc/chat-1", {
    modality: "text",
    apiTypes: ["chat-completions"],
    executionModes: ["sync-or-stream"],
    billingUnits: ["token"],
  }),
  row("svc/vid-t2v", { regions: ["cn-beijing", "sg-singapore"] }),
  row("svc/adult-vid-1", { gates: ["adult"] }),
  row("svc/swap-1", {
    modality: "image",
    apiTypes: ["image-editing"],
    gates: ["adult", "portrait", "per-request"],
  }),
];

const ids = (found: CatalogRow[]) => found.map((entry) => entry.id);

describe("filterRows", () => {
  it("keeps all rows without a filter", () => {
    expect(filterRows(rows, "", nothing)).toHaveLength(rows.length);
  });

  it("requires every word of the search, in id, modality or operation", () => {
    expect(ids(filterRows(rows, "vid adult", nothing))).toEqual(["svc/adult-vid-1"]);
    expect(ids(filterRows(rows, "image-editing", nothing))).toEqual(["svc/swap-1"]);
  });

  it("finds a model by what somebody wants to do", () => {
    expect(ids(filterRows(rows, "remove the background from a photo", nothing))).toEqual(["svc/swap-1"]);
    expect(ids(filterRows(rows, "translate", nothing))).toEqual(["svc/chat-1"]);
    expect(ids(filterRows(rows, "the", nothing))).toEqual([]);
    const both = row("svc/img-gen-a-1", { apiTypes: ["image-generation", "image-editing"] });
    expect(wantedOperation(both, "remove the background", nothing)).toBe("image-editing");
    expect(wantedOperation(both, "", nothing)).toBe("image-generation");
    expect(wantedOperation(both, "", { ...nothing, api_type: ["image-editing"] })).toBe("image-editing");
  });

  it("shows entries with any chosen value of a filter, and requires every filter to match", () => {
    const chosen = { ...nothing, modality: ["video", "text"], region: ["us-virginia"] };
    expect(ids(filterRows(rows, "", chosen))).toEqual(["svc/chat-1", "svc/adult-vid-1"]);
  });

  it("finds an entry by each of its gates", () => {
    expect(ids(filterRows(rows, "", { ...nothing, gate: ["portrait"] }))).toEqual(["svc/swap-1"]);
    expect(ids(filterRows(rows, "", { ...nothing, gate: ["adult"] }))).toEqual([
      "svc/adult-vid-1",
      "svc/swap-1",
    ]);
  });
});

describe("facetOptions", () => {
  it("counts with the other filters, but without the filter's own choice", () => {
    const chosen = { ...nothing, modality: ["image"], gate: ["adult"] };
    expect(facetOptions(rows, "modality", "", chosen)).toEqual([
      { value: "image", count: 1 },
      { value: "text", count: 0 },
      { value: "video", count: 1 },
    ]);
  });
});
