import type { JsonSchema, RegionName } from "#contract/catalog.ts";
import type { Entry, InternalRules } from "../entry.ts";
import { landscapeImage, landscapeVideo } from "../example-media.ts";
import {
  beijingAndSingapore,
  duration,
  freeObject,
  inputSchema,
  mediaField,
  predictionOutput,
  prompt,
  regionField,
  resolution,
  ungated,
} from "./pieces.ts";

/** The fields shared by VID-R2V, VID-T2V and VID-EDIT; `media` differs. */
function videoFields(
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
function thinMedia(description: string): JsonSchema {
  return { type: "array", maxItems: 10, title: "Media", description };
}

const thinMediaRules: InternalRules = {
  media: { "media/*": "any", "media/*/url": "any", "media/*/reference_voice": "audio" },
};

const textId = "svc/vid-t2v";

const optionalMedia = thinMedia("Up to 10 references, each with a url.");

export const vidT2v: Entry = {
  id: textId,
  modality: "video",
  regions: beijingAndSingapore,
  released_at: "2026-03-17",
  latest_release_at: "2026-09-08",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "video-generation",
      engine: "video",
      billing_unit: "second",
      execution_mode: "async",
      schema_version: 1,
      input_schema: inputSchema(textId, ["prompt"], videoFields(optionalMedia, 30, beijingAndSingapore)),
      output_schema: predictionOutput,
      limits: { maxDurationSeconds: 30, minDurationSeconds: 2, maxPromptCharacters: 2000 },
      example: {
        model: textId,
        prompt: "A river winds through a green valley, seen from above",
        duration: 2,
        resolution: "720P",
      },
      internal: thinMediaRules,
    },
  ],
};

const referencesId = "svc/vid-r2v";

const referenceMedia: JsonSchema = {
  type: "array",
  minItems: 1,
  maxItems: 10,
  title: "Media",
  description: "1 to 10 references that the video keeps to.",
  items: {
    type: "object",
    required: ["url", "type"],
    properties: {
      type: {
        type: "string",
        enum: ["reference_image", "reference_video", "first_frame"],
        title: "Use as",
        description: "What this file is for.",
      },
      url: mediaField("any", "File"),
      reference_voice: mediaField(
        "audio",
        "Reference voice",
        "A recording of the voice, where it should speak.",
      ),
    },
  },
};

export const vidR2v: Entry = {
  id: referencesId,
  modality: "video",
  regions: beijingAndSingapore,
  released_at: "2026-03-17",
  latest_release_at: "2026-08-25",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "video-generation",
      engine: "video",
      billing_unit: "second",
      execution_mode: "async",
      schema_version: 1,
      input_schema: inputSchema(
        referencesId,
        ["prompt", "media"],
        videoFields(referenceMedia, 10, beijingAndSingapore),
      ),
      output_schema: predictionOutput,
      limits: { maxDurationSeconds: 10, minDurationSeconds: 2, maxPromptCharacters: 2000 },
      example: {
        model: referencesId,
        prompt: "The sun moves over the hills while clouds gather",
        media: [{ type: "first_frame", url: landscapeImage }],
        duration: 2,
        resolution: "720P",
      },
    },
  ],
};

const editId = "svc/vid-edit";

const editMedia = thinMedia("The video to edit and up to 9 references, each with a url.");

export const vidEdit: Entry = {
  id: editId,
  modality: "video",
  regions: beijingAndSingapore,
  released_at: "2026-06-09",
  latest_release_at: "2026-10-20",
  safety_requirements: ungated,
  operations: [
    {
      api_type: "video-generation",
      engine: "video-edit",
      billing_unit: "second",
      execution_mode: "async",
      schema_version: 1,
      input_schema: inputSchema(editId, ["prompt", "media"], videoFields(editMedia, 30, beijingAndSingapore)),
      output_schema: predictionOutput,
      limits: { maxDurationSeconds: 30, minDurationSeconds: 2, maxPromptCharacters: 2000 },
      example: {
        model: editId,
        prompt: "Give the landscape warm autumn colours",
        media: [{ type: "video", url: landscapeVideo }],
        duration: 2,
        resolution: "720P",
      },
      internal: thinMediaRules,
    },
  ],
};
