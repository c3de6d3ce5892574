import type { Entry } from "../entry.ts";
import { duskImage, landscapeImage } from "../example-media.ts";
import { predictionOutput } from "../pieces/outputs.ts";
import {
  adultWithPersonRights,
  inputSchema,
  mediaList,
  regionField,
  seed,
  singleOutput,
  virginia,
} from "../pieces/pieces.ts";

interface Swap {
  id: string;
  /** The part taken from the second image. */
  part: "face" | "head";
  released_at: string;
  latest_release_at: string;
}

/** SWAP-1 and SWAP-2: two images, the target first; gated by all three safety requirements. */
function swap(options: Swap): Entry {
  return {
    id: options.id,
    modality: "image",
    regions: virginia,
    released_at: options.released_at,
    latest_release_at: options.latest_release_at,
    safety_requirements: adultWithPersonRights,
    operations: [
      {
        api_type: "image-editing",
        engine: options.part === "head" ? "swap-head" : "swap-face",
        billing_unit: "generation",
        execution_mode: "async",
        schema_version: 2,
        input_schema: inputSchema(options.id, ["image", "person_rights_confirmed"], {
          image: mediaList(
            "image",
            { minItems: 2, maxItems: 2 },
            "Images",
            `Exactly two: the target image first, then the ${options.part} source.`,
          ),
          person_rights_confirmed: {
            type: "boolean",
            title: "Person rights confirmed",
            description:
              "Every identifiable person in the images is me, or has explicitly authorized this operation.",
          },
          n: singleOutput,
          seed,
          region: regionField(virginia),
        }),
        output_schema: predictionOutput,
        limits: {
          maxOutputs: 1,
          maxInputBytes: 20_971_520,
          maxInputImages: 2,
          imageOrder: ["target", "source"],
        },
        example: { model: options.id, image: [landscapeImage, duskImage], person_rights_confirmed: true },
      },
    ],
  };
}

export const swapEntries: readonly Entry[] = [
  swap({
    id: "svc/swap-1",
    part: "face",
    released_at: "2026-05-12",
    latest_release_at: "2026-09-15",
  }),
  swap({
    id: "svc/swap-2",
    part: "head",
    released_at: "2026-05-12",
    latest_release_at: "2026-09-15",
  }),
];
