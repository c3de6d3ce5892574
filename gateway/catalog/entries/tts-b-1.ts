import type { Entry } from "../entry.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { ungated } from "../pieces/safety.ts";
import { speech } from "../pieces/speech.ts";

const id = "svc/tts-b-1";

export const ttsB1: Entry = {
  id,
  modality: "audio",
  regions: beijingAndSingapore,
  released_at: "2026-02-24",
  latest_release_at: "2026-05-19",
  safety_requirements: ungated,
  operations: [
    speech({
      modelId: id,
      voiceRequired: false,
      voiceDescription: "A preset voice by name, for example Cherry.",
      example: { input: "Good morning. The forecast is clear and mild.", voice: "Cherry" },
    }),
  ],
};
