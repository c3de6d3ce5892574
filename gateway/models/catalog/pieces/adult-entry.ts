import type { Entry, EntryOperation } from "../entry.ts";
import { predictionOutput } from "./outputs.ts";
import { adultOnly, virginia } from "./pieces.ts";

type Gated = Pick<Entry, "id" | "modality" | "released_at" | "latest_release_at"> &
  Pick<EntryOperation, "api_type" | "engine" | "input_schema" | "limits" | "example">;

/**
 * An adult-gated entry with one async operation in us-virginia. Video is billed by the second, anything else
 * per output.
 */
export function adultEntry(options: Gated): Entry {
  const { id, modality, released_at, latest_release_at, ...operation } = options;
  return {
    id,
    modality,
    regions: virginia,
    released_at,
    latest_release_at,
    safety_requirements: adultOnly,
    operations: [
      {
        ...operation,
        billing_unit: modality === "video" ? "second" : "generation",
        execution_mode: "async",
        schema_version: 1,
        output_schema: predictionOutput,
      },
    ],
  };
}
