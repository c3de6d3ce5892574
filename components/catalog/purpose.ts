import type { ApiType } from "#contract/catalog.ts";

/** In one line, what each known model is for. */
const purposes: Record<string, string> = {
  "svc/chat-1": "Chat with long context and tool calls, streamed or at once.",
  "svc/chat-2": "Everyday chat in six regions, streamed or at once.",
  "svc/tts-a-1": "Speech in a voice that you enrolled, in Beijing.",
  "svc/tts-a-2": "Speech in a voice that you enrolled.",
  "svc/tts-b-1": "Speech in a preset voice.",
  "svc/tts-b-2": "Speech in a preset voice, newer voices.",
  "svc/asr-1": "Speech to text, up to 10 MiB of audio.",
  "svc/asr-2": "Speech to text, up to 10 MiB of audio.",
  "svc/asr-3": "Speech to text, also in the US.",
  "svc/voice-1": "Enrol a voice from a recording.",
  "svc/voice-2": "Design a voice from a description.",
  "svc/img-gen-a-1": "Pictures from a prompt, and edits of your pictures.",
  "svc/img-gen-a-2": "Pictures from a prompt, and edits of your pictures.",
  "svc/img-gen-a-3": "Pictures from a prompt, up to four at once.",
  "svc/img-gen-b": "Large pictures from a prompt, up to 4K.",
  "svc/vid-t2v": "Video from a prompt.",
  "svc/vid-r2v": "Video from a prompt and reference pictures, videos or voices.",
  "svc/vid-edit": "Change an existing video by a prompt.",
  "svc/adult-vid-1": "Adult video from a prompt, pictures or videos, with sound.",
  "svc/adult-vid-2": "Adult video from a prompt, pictures or videos, with sound.",
  "svc/adult-vid-3": "Adult video from a prompt, pictures or videos, with sound.",
  "svc/adult-vid-4": "Adult video from a prompt, pictures or videos, with sound.",
  "svc/adult-i2v-1": "Bring a picture to life, up to 15 seconds with sound.",
  "svc/adult-i2v-2": "Video from a first picture to a last one.",
  "svc/adult-i2v-3": "Bring a picture to life in the style of your LoRAs.",
  "svc/adult-img-1": "Adult pictures from a prompt.",
  "svc/adult-img-2": "Adult pictures from a prompt.",
  "svc/adult-edit": "Change a picture by a prompt, adult content allowed.",
  "svc/swap-1": "Put a face from one picture into another.",
  "svc/swap-2": "Put a head from one picture into another.",
  "svc/adult-animate": "Move a picture as a video leads, or replace who is in it.",
  "svc/adult-upscale": "Enlarge a video, up to 4K.",
};

/** What an operation makes, for a model that nobody has described. */
const ofOperation: Record<ApiType, string> = {
  "chat-completions": "Chat.",
  "text-to-speech": "Speech from text.",
  "audio-transcription": "Speech to text.",
  "voice-management": "Create and manage voices.",
  "image-generation": "Pictures from a prompt.",
  "image-editing": "Edits of pictures.",
  "video-generation": "Video.",
};

export function purposeOf(id: string, apiTypes: readonly string[]): string {
  return purposes[id] ?? apiTypes.map((apiType) => ofOperation[apiType as ApiType] ?? apiType).join(" ");
}

/** The cover's name in `public/covers`; null for a model that nobody has drawn. */
export function coverOf(id: string): string | null {
  return id in purposes ? (id.split("/")[1] ?? null) : null;
}
