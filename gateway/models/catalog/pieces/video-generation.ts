import type { JsonSchema, RegionName } from "#contract/catalog.ts";
import type { InternalRules } from "../entry.ts";
import { duration, freeObject, prompt, regionField, resolution } from "./pieces.ts";

/** The fields shared by VID-R2V, VID-T2V and VID-EDIT; `media` differs. */
export function videoFields(
  media: JsonSchema,
  maxSeconds: number,
  regions: readonly RegionName[],
): Record<string, JsonSchema> {
  return {
    prompt: prompt(2000),
    media,
    duration: duration(2, maxSeconds),
    resolution: resolution(["720P", "1080P"]),
    input: freeObject("Input", "Further input fields, passed on as they are."),
    parameters: freeObject("Parameters", "Further model parameters, passed on as they are."),
    region: regionField(regions),
  };
}

/**
 * A `media` field whose items have no fixed shape: each item is a reference, or an object with a `url` and a
 * `type`.
 */
export function thinMedia(description: string): JsonSchema {
  return { type: "array", maxItems: 10, title: "Media", description };
}

export const thinMediaRules: InternalRules = {
  media: { "media/*": "any", "media/*/url": "any", "media/*/reference_voice": "audio" },
};
