import type { Entry } from "../entry.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { transcription } from "../pieces/transcription.ts";

export const asr2: Entry = transcription({
  id: "svc/asr-2",
  regions: beijingAndSingapore,
  released_at: "2026-04-07",
  latest_release_at: "2026-07-14",
});
