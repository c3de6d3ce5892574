import { describe, expect, it } from "vitest";
import type { JsonSchema } from "#contract/catalog.ts";
import type { UpstreamModel } from "#gateway/models/providers/descriptions.ts";
import { falModel } from "#gateway/models/providers/fal/provider.ts";
import { replicateModel } from "#gateway/models/providers/replicate/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { checkEntry, mediaOf } from "../change-entry.ts";
import * as published from "../testing/published.ts";
import { entryOfImport } from "./entry-of-import.ts";

const options = { id: "acme/model", regions: ["us-virginia"] as const, today: "2026-11-22" };
const none = { apiType: undefined, prompt: undefined };

function imported(model: UpstreamModel, choices: Partial<typeof options & { prompt: string }> = {}) {
  const plan = entryOfImport(model, { ...options, ...none, ...choices });
  checkEntry(plan.entry);
  const [operation] = plan.entry.operations;
  if (!operation) throw new Error("an entry has an operation");
  const properties = operation.input_schema.properties as Record<string, JsonSchema>;
  return { ...plan, operation, properties, media: mediaOf(operation.input_schema) };
}

const replicate = (answer: Record<string, unknown>) => imported(replicateModel(answer, null));
const fal = (document: Record<string, unknown>) => imported(falModel("fal-ai/x", document, {}));

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError && error.code === "invalid_schema") return error.message;
    throw error;
  }
  return "imported";
}

describe("a model of Replicate", () => {
  it("becomes an operation that makes images, with the upstream's fields in their order and all values of enumerations", () => {
    const { operation, properties, rename, upstreamModel, entry } = replicate(published.replicatePictures);
    expect(operation).toMatchObject({
      api_type: "image-generation",
      billing_unit: "generation",
      execution_mode: "async",
      limits: { maxOutputs: 4 },
    });
    expect(Object.keys(properties)).toEqual([
      "model",
      "prompt",
      "aspect_ratio",
      "n",
      "seed",
      "output_format",
    ]);
    expect(properties.aspect_ratio).toMatchObject({
      type: "string",
      enum: ["1:1", "16:9", "9:16"],
      default: "1:1",
    });
    expect(rename).toEqual({ n: "num_outputs" });
    expect(upstreamModel).toBe("acme/fast-pictures");
    expect(operation.example).toMatchObject({ model: "acme/model", prompt: "black forest gateau", n: 1 });
    expect(entry).toMatchObject({
      modality: "image",
      cover_url: "https://pictures.example.com/fast-pictures.webp",
    });
  });

  it("tells media from other files, and runs the version whose form is shown", () => {
    const { operation, media, upstreamModel, rename, notes } = replicate(published.replicateVideo);
    expect(operation).toMatchObject({
      api_type: "video-generation",
      billing_unit: "second",
      limits: { maxDurationSeconds: 8 },
    });
    expect(media).toEqual({ image: "image" });
    expect(upstreamModel).toMatch(/^acme\/wave-i2v:5c7d5dc6/);
    expect(rename).toEqual({ duration: "seconds" });
    expect(notes.join(" ")).toContain("Always runs version 5c7d5dc6dd8b.");
  });

  it("names the defaults that the schema itself refuses", () => {
    const properties = {
      prompt: { type: "string" },
      steps: { type: "integer", maximum: 50, default: 80 },
      seed: { type: "integer", default: null },
    };
    const output = { type: "string", format: "uri" };
    const { notes } = replicate(
      published.replicateAnswer({ name: "fast-pictures", description: "Pictures", properties, output }),
    );
    const said = notes.join(" ");
    expect(said).toContain("The provider's default of steps is left out");
    expect(said).not.toContain("seed");
  });

  it("renames fields whose names mean something else here", () => {
    const { operation, rename, media } = replicate(published.replicateWhisper);
    expect(operation.api_type).toBe("audio-transcription");
    expect(rename).toEqual({ audio: "audio_file", model_name: "model" });
    expect(media).toEqual({ audio: "audio" });
  });

  it.each([
    [published.replicateChat, "it answers with text"],
    [published.replicateMesh, "not an image, video, speech or text"],
    [
      published.replicateAnswer({ name: "empty", description: "", properties: {}, output: {} }),
      "not an image, video",
    ],
    [{ owner: "acme", name: "silent" }, "publishes no input schema"],
  ])("is refused with the reason when it fits no kind: %#", (answer, reason) => {
    expect(reasonOf(() => replicate(answer))).toContain(reason);
  });
});

describe("an endpoint of fal", () => {
  it("keeps its choices, lists of objects and field order", () => {
    const { operation, properties, media } = fal(published.falPictures);
    expect(operation.api_type).toBe("image-generation");
    expect(Object.keys(properties)).toEqual(["model", "prompt", "image_size", "loras", "n"]);
    expect(properties.image_size?.anyOf).toEqual([
      {
        type: "object",
        properties: {
          width: { type: "integer", maximum: 14142, exclusiveMinimum: 0 },
          height: { type: "integer" },
        },
      },
      { type: "string", enum: ["square_hd", "landscape_16_9"] },
    ]);
    expect(media).toEqual({});
  });

  it("finds media by their names and files in an unusual place", () => {
    const { operation, media, properties } = fal(published.falEdit);
    expect(operation).toMatchObject({ api_type: "image-editing", internal: { output: "edited_picture" } });
    expect(media).toEqual({ "image_urls/*": "image" });
    expect(properties.aspect_ratio).toEqual({
      type: ["string", "null"],
      enum: ["auto", "1:1", null],
      default: "auto",
      "x-order": 2,
    });
  });

  it("uses the gateway's name for the text field of speech", () => {
    const { operation, rename } = fal(published.falSpeech);
    expect(operation).toMatchObject({
      api_type: "text-to-speech",
      billing_unit: "character",
      execution_mode: "sync",
    });
    expect(rename).toEqual({ input: "prompt" });
  });

  const withInput = (input: Record<string, unknown>, schemas = {}) =>
    published.falDocument({ endpoint: "fal-ai/x", category: "text-to-image", input, output: {}, schemas });
  const prompt = { prompt: { type: "string" } };

  it.each([
    ["another document", { $ref: "https://evil.example/schema.json" }, {}, "https://evil.example"],
    ["a missing part", { $ref: "#/components/schemas/Gone" }, {}, "#/components/schemas/Gone"],
    [
      "a bomb of references",
      { $ref: "#/components/schemas/L0" },
      Object.fromEntries(
        Array.from({ length: 20 }, (_, level) => [
          `L${level}`,
          {
            type: "object",
            properties: Object.fromEntries(
              ["a", "b", "c", "d"].map((name) => [name, { $ref: `#/components/schemas/L${level + 1}` }]),
            ),
          },
        ]),
      ),
      "is nested more than 24 levels deep",
    ],
    ["a broken pattern", { type: "string", pattern: "(" }, {}, "cannot run in linear time"],
  ])("refuses %s", (_, field, schemas, reason) => {
    const document = withInput({ type: "object", properties: { ...prompt, field } }, schemas);
    expect(reasonOf(() => fal(document))).toContain(reason);
  });

  it("refuses a schema whose smallest input is very large, at once", () => {
    const sixDeep = Array.from({ length: 6 }).reduce<Record<string, unknown>>(
      (items) => ({ type: "array", minItems: 20, items }),
      { type: "string" },
    );
    const properties = { ...prompt, field: sixDeep };
    const document = withInput({ type: "object", properties, required: ["field"] });
    expect(reasonOf(() => fal(document))).toContain("more than 1,000 values");
  });

  it("lists the fields that the prompt could be when the chosen one is wrong", () => {
    const choose = () => imported(falModel("fal-ai/x", published.falEdit, {}), { prompt: "words" });
    expect(reasonOf(choose)).toContain("It has prompt, image_urls, aspect_ratio.");
  });
});
