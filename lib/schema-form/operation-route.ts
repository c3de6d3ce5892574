import type { ApiType } from "#contract/catalog.ts";

const routes: Record<ApiType, string> = {
  "chat-completions": "/chat/completions",
  "text-to-speech": "/audio/speech",
  "audio-transcription": "/audio/transcriptions",
  "voice-management": "/audio/voices",
  "image-generation": "/images/generations",
  "image-editing": "/images/edits",
  "video-generation": "/videos",
};

/** The gateway's route for an operation, after `/v1` (docs/api.md, "Routes"). */
export function routeOf(apiType: ApiType): string {
  return routes[apiType];
}
