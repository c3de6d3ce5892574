import type { JsonSchema, RegionName } from "#contract/catalog.ts";

export const beijing = ["cn-beijing"] as const satisfies RegionName[];
export const beijingAndSingapore = ["cn-beijing", "sg-singapore"] as const satisfies RegionName[];
export const virginia = ["us-virginia"] as const satisfies RegionName[];

/** The optional `region` field: one of the entry's own regions. */
export function regionField(regions: readonly RegionName[]): JsonSchema {
  return {
    type: "string",
    enum: [...regions],
    title: "Region",
    description: "Where it runs. Left out, the gateway picks a healthy region.",
  };
}
