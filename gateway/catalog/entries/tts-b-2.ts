import type { Entry } from "../entry.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { ungated } from "../pieces/safety.ts";
import { speech } from "../pieces/speech.ts";

const id = "svc/tts-b-2";

export const ttsB2: Entry = {
  id,
  modality: "audio",
  regions: beijingAndSingapore,
  released_at: "2026-05-26",
  latest_release_at: "2026-09-01",
  safety_requirements: ungated,
  operations: [
    speech({
      modelId: id,
      voiceRequired: false,
      voiceDescription: "A preset voice by name, for example Ethan.",
      example: { input: "Your parcel will arrive on Thursday afternoon.", voice: "Ethan" },
    }),
  ],
};
