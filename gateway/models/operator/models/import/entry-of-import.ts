import type { RegionName } from "#contract/catalog.ts";
import type { Entry } from "#gateway/models/catalog/entry.ts";
import { inputSchema, regionField, ungated } from "#gateway/models/catalog/pieces/pieces.ts";
import type { UpstreamModel } from "#gateway/models/providers/descriptions/upstream-model.ts";
import { exampleOf } from "./example.ts";
import { type Choices, proposeOperation } from "./propose.ts";

export interface EntryPlan {
  entry: Entry;
  /** The provider that it was imported from; its route begins there. */
  provider?: string;
  upstreamModel: string | null;
  rename: Record<string, string>;
  notes: string[];
}

interface Options extends Choices {
  id: string;
  regions: readonly RegionName[];
  /** `2026-11-22` */
  today: string;
}

/** The entry of an imported model, ungated, in the regions of its provider. Throws `invalid_schema`. */
export function entryOfImport(model: UpstreamModel, { id, regions, today, ...choices }: Options): EntryPlan {
  const { modality, operation, properties, required, sample, rename, notes } = proposeOperation(
    model,
    choices,
  );
  const fields = { ...properties, ...(regions.length > 1 && { region: regionField(regions) }) };
  return {
    entry: {
      id,
      modality,
      regions,
      released_at: today,
      latest_release_at: today,
      safety_requirements: ungated,
      ...(model.description !== null && { description: model.description.slice(0, longestDescription) }),
      ...(model.coverUrl !== null && { cover_url: model.coverUrl }),
      operations: [
        {
          ...operation,
          input_schema: inputSchema(id, required, fields),
          example: exampleOf(id, { properties, required }, sample),
        },
      ],
    },
    upstreamModel: model.name,
    rename,
    notes: [...notes, "No gate is set. Set them if it makes adult content or pictures of real people."],
  };
}

const longestDescription = 2_000;
