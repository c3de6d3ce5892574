import type { Entry } from "../entry.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { ungated } from "../pieces/safety.ts";
import { speech } from "../pieces/speech.ts";

const id = "svc/tts-a-2";

export const ttsA2: Entry = {
  id,
  modality: "audio",
  regions: beijingAndSingapore,
  released_at: "2026-04-14",
  latest_release_at: "2026-07-21",
  safety_requirements: ungated,
  operations: [
    speech({
      modelId: id,
      voiceRequired: true,
      voiceDescription: "The identifier of an enrolled voice.",
      example: { input: "The train to the coast leaves at nine.", voice: "sandbox-voice-kai" },
    }),
  ],
};
