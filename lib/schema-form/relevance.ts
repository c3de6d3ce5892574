import { byName } from "#contract/by-name.ts";
import type { JsonObject } from "./json.ts";
import type { PlannedField } from "./plan.ts";

/** Fields that mean something for some values of a leading choice only (specification, VOICE-1, VOICE-2, ADULT-VID). */
const audiences = byName<{ choice: string; values: string[] }>({
  page_size: { choice: "action", values: ["list"] },
  page_index: { choice: "action", values: ["list"] },
  voice: { choice: "action", values: ["query", "delete"] },
  first_frame: { choice: "mode", values: ["image-to-video"] },
  last_frame: { choice: "mode", values: ["image-to-video"] },
  reference_images: { choice: "mode", values: ["reference-to-video"] },
  reference_videos: { choice: "mode", values: ["reference-to-video"] },
  reference_audios: { choice: "mode", values: ["reference-to-video"] },
});

/** What enrols a voice: everything of the voice operations that is not named above and not asked always. */
const enrolling = new Set([
  "audio",
  "url",
  "prefix",
  "preferred_name",
  "target_model",
  "voice_prompt",
  "preview_text",
  "language_hints",
  "enable_preprocess",
  "max_prompt_audio_length",
]);

/** False when the draft's leading choice makes an optional field pointless; it is then folded away, never hidden. */
export function isRelevant(field: PlannedField, value: JsonObject): boolean {
  if (field.required) return true;
  const audience =
    audiences[field.name] ??
    (enrolling.has(field.name) && "action" in value ? { choice: "action", values: ["create"] } : null);
  if (!audience) return true;
  const chosen = value[audience.choice];
  return typeof chosen !== "string" || audience.values.includes(chosen);
}
