import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";

/** The families of operations that the sandbox can play, by the label of the entry. */
const families = [
  ["chat", "chat-completions", /^chat-\d+$/],
  ["speech-enrolled", "text-to-speech", /^tts-a-\d+$/],
  ["speech-preset", "text-to-speech", /^tts-b-\d+$/],
  ["transcription", "audio-transcription", /^asr-\d+$/],
  ["voices", "voice-management", /^voice-\d+$/],
  ["pictures", "image-generation", /^(img-gen-(a-\d+|b)|adult-img-\d+)$/],
  ["edit", "image-editing", /^(img-gen-a-\d+|img-edit-a-\d+|adult-edit)$/],
  ["swap", "image-editing", /^swap-\d+$/],
  ["video", "video-generation", /^(vid-(r2v|t2v|edit)|adult-(vid-\d+|i2v-\d+|animate|upscale))$/],
] as const;

export type Family = (typeof families)[number][0];

/** The family of an operation, or null when it is none of ours. */
export function familyOf(model: CatalogModel, operation: CatalogOperation): Family | null {
  const label = labelOf(model);
  return (
    families.find(([, apiType, pattern]) => apiType === operation.api_type && pattern.test(label))?.[0] ??
    null
  );
}

/** The label of an entry: `svc/img-gen-a-1` is `img-gen-a-1`. */
export function labelOf(model: CatalogModel): string {
  return model.id.split("/").at(-1) ?? model.id;
}
