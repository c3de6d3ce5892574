import type { Entry } from "../entry.ts";
import { beijing } from "../pieces/regions.ts";
import { ungated } from "../pieces/safety.ts";
import { speech } from "../pieces/speech.ts";

const id = "svc/tts-a-1";

export const ttsA1: Entry = {
  id,
  modality: "audio",
  regions: beijing,
  released_at: "2026-02-03",
  latest_release_at: "2026-06-16",
  safety_requirements: ungated,
  operations: [
    speech({
      modelId: id,
      voiceRequired: true,
      voiceDescription: "The identifier of an enrolled voice.",
      example: { input: "Welcome. This is an enrolled voice speaking.", voice: "sandbox-voice-ada" },
    }),
  ],
};
