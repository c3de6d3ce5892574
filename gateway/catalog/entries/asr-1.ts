import type { Entry } from "../entry.ts";
import { beijingAndSingapore } from "../pieces/regions.ts";
import { transcription } from "../pieces/transcription.ts";

export const asr1: Entry = transcription({
  id: "svc/asr-1",
  regions: beijingAndSingapore,
  released_at: "2026-01-20",
  latest_release_at: "2026-04-28",
});
