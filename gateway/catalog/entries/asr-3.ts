import type { Entry } from "../entry.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { transcription } from "../pieces/transcription.ts";

export const asr3: Entry = transcription({
  id: "svc/asr-3",
  regions: [...beijingAndSingapore, "us-virginia"],
  released_at: "2026-06-30",
  latest_release_at: "2026-10-13",
});
