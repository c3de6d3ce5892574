import { describe, expect, test } from "vitest";
import { createCatalog } from "./load.ts";

const catalog = createCatalog();
const asia = ["cn-beijing", "sg-singapore"];
const virginia = ["us-virginia"];

type Row = [
  id: string,
  apiType: string,
  unit: string,
  mode: string,
  regions: string[],
  required: string,
  listed: string,
  limits: object,
];

/** The specification's "Summary of the operations by label" and "Limits", row by row. */
// biome-ignore format: a table reads by its rows
const rows: Row[] = [
  ["chat-1", "chat-completions", "token", "sync-or-stream", ["us-oregon", "us-virginia"], "messages", "max_tokens messages reasoning_effort region stream temperature", { maxInputTokens: 190000, maxOutputTokens: 32768, maxRequestBytes: 4000000, contextWindowTokens: 500000, providerLongContextThresholdTokens: 200000 }],
  ["chat-2", "chat-completions", "token", "sync-or-stream", ["cn-beijing", "cn-hong-kong", "eu-frankfurt", "jp-tokyo", "sg-singapore", "us-virginia"], "messages", "messages", { maxOutputTokens: 32768, maxRequestBytes: 4000000, contextWindowTokens: 262144 }],
  ["tts-a-1", "text-to-speech", "character", "sync", ["cn-beijing"], "input voice", "input voice", { maxInputCharacters: 600 }],
  ["tts-a-2", "text-to-speech", "character", "sync", asia, "input voice", "input voice", { maxInputCharacters: 600 }],
  ["tts-b-1", "text-to-speech", "character", "sync", asia, "input", "input voice", { maxInputCharacters: 600 }],
  ["tts-b-2", "text-to-speech", "character", "sync", asia, "input", "input voice", { maxInputCharacters: 600 }],
  ["asr-1", "audio-transcription", "second", "sync", asia, "audio", "audio", { maxInputBytes: 10485760 }],
  ["asr-2", "audio-transcription", "second", "sync", asia, "audio", "audio", { maxInputBytes: 10485760 }],
  ["asr-3", "audio-transcription", "second", "sync", ["cn-beijing", "sg-singapore", "us-virginia"], "audio", "audio", { maxInputBytes: 10485760 }],
  ["voice-1", "voice-management", "operation", "sync", asia, "action", "action audio page_index page_size preferred_name region target_model voice", { maxInputBytes: 30000000 }],
  ["voice-2", "voice-management", "operation", "sync", asia, "action", "action enable_preprocess language_hints max_prompt_audio_length page_index page_size prefix preview_text region target_model url voice voice_prompt", { maxInputBytes: 30000000 }],
  ["img-gen-a-1", "image-generation", "generation", "sync", asia, "prompt", "input n parameters prompt region size", { maxOutputs: 4, maxPromptCharacters: 5000 }],
  ["img-gen-a-2", "image-generation", "generation", "sync", asia, "prompt", "input n parameters prompt region size", { maxOutputs: 4, maxPromptCharacters: 5000 }],
  ["img-gen-a-3", "image-generation", "generation", "sync", asia, "prompt", "input n parameters prompt region size", { maxOutputs: 4, maxPromptCharacters: 5000 }],
  ["img-gen-a-1", "image-editing", "generation", "sync", asia, "prompt image", "", { maxInputBytes: 20971520, maxInputImages: 9, maxPromptCharacters: 5000 }],
  ["img-gen-a-2", "image-editing", "generation", "sync", asia, "prompt image", "", { maxInputBytes: 20971520, maxInputImages: 9, maxPromptCharacters: 5000 }],
  ["img-gen-b", "image-generation", "generation", "async", virginia, "prompt quality size output_format", "n output_format prompt quality region size", { maxOutputs: 1, maxPromptCharacters: 1000, sizes: ["1024x1024", "1536x1024", "1024x1536", "2048x2048", "2048x1152", "3840x2160", "2160x3840"], formats: ["png", "jpeg"], qualities: ["low", "medium", "high"] }],
  ["vid-r2v", "video-generation", "second", "async", asia, "prompt media", "duration input media parameters prompt region resolution", { maxDurationSeconds: 10, minDurationSeconds: 2, maxPromptCharacters: 2000 }],
  ["vid-t2v", "video-generation", "second", "async", asia, "prompt", "duration input media parameters prompt region resolution", { maxDurationSeconds: 30, minDurationSeconds: 2, maxPromptCharacters: 2000 }],
  ["vid-edit", "video-generation", "second", "async", asia, "prompt media", "duration input media parameters prompt region resolution", { maxDurationSeconds: 30, minDurationSeconds: 2, maxPromptCharacters: 2000 }],
  ["adult-vid-1", "video-generation", "second", "async", virginia, "duration resolution ratio audio", "audio duration first_frame last_frame mode prompt ratio reference_audios reference_images reference_videos region resolution seed", { maxDurationSeconds: 30, maxReferenceAudios: 5, maxReferenceImages: 10, maxReferenceVideos: 5, maxPromptCharacters: 20000, supportsAudio: true, supportsSmartDuration: true }],
  ["adult-vid-2", "video-generation", "second", "async", virginia, "duration resolution ratio audio", "audio duration first_frame last_frame mode prompt ratio reference_audios reference_images reference_videos region resolution seed", { maxDurationSeconds: 30, maxReferenceAudios: 5, maxReferenceImages: 10, maxReferenceVideos: 5, maxPromptCharacters: 20000, supportsAudio: true, supportsSmartDuration: true }],
  ["adult-vid-3", "video-generation", "second", "async", virginia, "duration resolution ratio audio", "audio duration first_frame last_frame mode prompt prompt_extend ratio reference_audios reference_images reference_videos region resolution seed", { maxDurationSeconds: 30, maxReferenceAudios: 5, maxReferenceImages: 10, maxReferenceVideos: 5, maxPromptCharacters: 20000, supportsAudio: true, supportsSmartDuration: true, supportsPromptExtend: true }],
  ["adult-vid-4", "video-generation", "second", "async", virginia, "duration resolution ratio audio", "audio duration first_frame last_frame mode prompt prompt_extend ratio reference_audios reference_images reference_videos region resolution seed", { maxDurationSeconds: 30, maxReferenceAudios: 5, maxReferenceImages: 10, maxReferenceVideos: 5, maxPromptCharacters: 20000, supportsAudio: true, supportsSmartDuration: true, supportsPromptExtend: true }],
  ["adult-i2v-1", "video-generation", "second", "async", virginia, "prompt image", "audio audio_url duration image negative_prompt prompt prompt_extend region resolution seed", { maxDurationSeconds: 15, maxPromptCharacters: 5000, supportsAudio: true, supportsPromptExtend: true }],
  ["adult-i2v-2", "video-generation", "second", "async", virginia, "prompt image", "duration image last_image prompt prompt_extend region resolution seed", { durations: [5, 8], maxDurationSeconds: 8, maxPromptCharacters: 5000, supportsPromptExtend: true }],
  ["adult-i2v-3", "video-generation", "second", "async", virginia, "prompt image", "duration high_noise_loras image loras low_noise_loras prompt region resolution seed", { durations: [5, 8], maxDurationSeconds: 8, maxLorasPerExpert: 3, maxPromptCharacters: 5000, supportsPromptExtend: false }],
  ["adult-img-1", "image-generation", "generation", "async", virginia, "prompt", "height n prompt prompt_extend region seed width", { minWidth: 256, minHeight: 256, maxWidth: 1536, maxHeight: 1536, maxOutputs: 1, maxPromptCharacters: 5000 }],
  ["adult-img-2", "image-generation", "generation", "async", virginia, "prompt", "height n prompt prompt_extend region seed width", { minWidth: 256, minHeight: 256, maxWidth: 2560, maxHeight: 2560, maxOutputs: 1, maxPromptCharacters: 5000 }],
  ["adult-edit", "image-editing", "generation", "async", virginia, "image prompt", "image n prompt region seed", { maxOutputs: 1, maxInputBytes: 20971520, maxInputImages: 1, maxPromptCharacters: 5000 }],
  ["swap-1", "image-editing", "generation", "async", virginia, "image person_rights_confirmed", "image n person_rights_confirmed region seed", { maxOutputs: 1, maxInputBytes: 20971520, maxInputImages: 2, imageOrder: ["target", "source"] }],
  ["swap-2", "image-editing", "generation", "async", virginia, "image person_rights_confirmed", "image n person_rights_confirmed region seed", { maxOutputs: 1, maxInputBytes: 20971520, maxInputImages: 2, imageOrder: ["target", "source"] }],
  ["adult-animate", "video-generation", "second", "async", virginia, "image video mode duration resolution", "duration image mode prompt region resolution seed video", { modes: ["animate", "replace"], durations: [5, 8], maxDurationSeconds: 8, maxPromptCharacters: 5000 }],
  ["adult-upscale", "video-generation", "second", "async", virginia, "video duration resolution", "duration region resolution video", { maxInputBytes: 524288000, maxDurationSeconds: 60 }],
];

const outputs: Record<string, string[] | undefined> = {
  async: ["id", "model", "status", "poll_url", "svc_region"],
  "chat-completions": ["id", "model", "choices", "usage"],
  "audio-transcription": ["id", "model", "text", "svc_region"],
  "voice-management": ["action", "data", "model", "svc_region"],
  "image-generation": ["id", "model", "data", "svc_region"],
  "image-editing": ["id", "model", "data", "svc_region"],
};

test("the table above covers every operation of the specification", () => {
  const published = catalog.list().data.flatMap((model) => model.operations.map((operation) => operation.id));
  expect(rows.map(([id, apiType]) => `svc/${id}:${apiType}`).sort()).toEqual(published.sort());
});

describe("operations", () => {
  test.each(rows)("%s %s", (id, apiType, unit, mode, regions, required, listed, limits) => {
    const found = catalog.operation(`svc/${id}`, apiType);
    if (!found) throw new Error(`no ${id}`);
    const { input_schema: input, output_schema: output, ...operation } = found.operation;
    expect(operation).toMatchObject({ billing_unit: unit, execution_mode: mode });
    expect(operation.limits).toEqual(limits);
    expect(operation.schema_version).toBe(id.startsWith("swap-") ? 2 : 1);
    expect(found.model.available_regions).toEqual(regions);
    expect(input.required).toEqual(["model", ...required.split(" ")]);
    expect(Object.keys(input.properties ?? {}).sort()).toEqual(
      ["model", ...listed.split(" ")].filter(Boolean).sort(),
    );
    const expectedOutput = mode === "async" ? outputs.async : outputs[apiType];
    if (expectedOutput) expect(output.required).toEqual(expectedOutput);
    else expect(output).toEqual({ type: "string", contentMediaType: "audio/wav" });
  });

  test("a region field is limited to the entry's own regions", () => {
    for (const model of catalog.list().data) {
      for (const { input_schema } of model.operations) {
        const properties = input_schema.properties as Record<string, { enum?: string[] }>;
        if (properties.region) expect(properties.region.enum).toEqual(model.available_regions);
      }
    }
  });

  test("every field of a form has a title", () => {
    for (const { operations } of catalog.list().data) {
      for (const { input_schema } of operations) {
        const properties = Object.values(
          input_schema.properties as Record<string, { title?: string; description?: string }>,
        );
        for (const property of properties)
          expect(property).toMatchObject({ title: expect.any(String), description: expect.any(String) });
      }
    }
  });
});

describe("safety requirements", () => {
  test.each(catalog.list().data.map((model) => [model.id, model.safety_requirements] as const))(
    "%s",
    (id, safety) => {
      const isSwap = id.startsWith("svc/swap-");
      const isAdult = isSwap || id.startsWith("svc/adult-");
      expect(safety).toEqual({
        adult_attestation_required: isAdult,
        minimum_age: isAdult ? 18 : null,
        portrait_rights_attestation_required: isSwap,
        per_request_person_rights_confirmation_required: isSwap,
      });
    },
  );
});

test("text entries state how much fits into one request", () => {
  expect(catalog.model("svc/chat-1")).toMatchObject({
    context_window_tokens: 500000,
    max_input_tokens: 190000,
    max_output_tokens: 32768,
    max_gateway_request_bytes: 4000000,
  });
  expect(catalog.model("svc/chat-2")).toMatchObject({
    context_window_tokens: 262144,
    max_output_tokens: 32768,
    max_gateway_request_bytes: 4000000,
  });
});
