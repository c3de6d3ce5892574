import type { ApiType } from "#contract/catalog.ts";

/** The purpose of each known model in one line. */
const purposes: Record<string, string> = {
  "svc/chat-1": "Chat with long context and tool calls.",
  "svc/chat-2": "Everyday chat in six regions.",
  "svc/tts-a-1": "Speech in a voice you enrolled (Beijing region).",
  "svc/tts-a-2": "Speech in a voice you enrolled.",
  "svc/tts-b-1": "Speech in a preset voice.",
  "svc/tts-b-2": "Speech in a newer preset voice.",
  "svc/asr-1": "Speech to text, up to 10.4 MB of audio.",
  "svc/asr-2": "Speech to text, up to 10.4 MB of audio.",
  "svc/asr-3": "Speech to text, also in a US region.",
  "svc/voice-1": "Create a voice from a recording.",
  "svc/voice-2": "Create a voice from a description.",
  "svc/img-gen-a-1": "Images from a prompt, and edits of your images.",
  "svc/img-gen-a-2": "Images from a prompt, and edits of your images.",
  "svc/img-gen-a-3": "Images from a prompt, up to four at once.",
  "svc/img-gen-b": "Large images from a prompt, up to 4K.",
  "svc/vid-t2v": "Video from a prompt.",
  "svc/vid-r2v": "Video from a prompt and reference images, videos or voices.",
  "svc/vid-edit": "Edit an existing video with a prompt.",
  "svc/adult-vid-1": "Adult video with sound, from a prompt, images or videos.",
  "svc/adult-vid-2": "Adult video with sound, from a prompt, images or videos.",
  "svc/adult-vid-3": "Adult video with sound, from a prompt, images or videos.",
  "svc/adult-vid-4": "Adult video with sound, from a prompt, images or videos.",
  "svc/adult-i2v-1": "Animate an image: up to 15 seconds, with sound.",
  "svc/adult-i2v-2": "Video between a first and a last image.",
  "svc/adult-i2v-3": "Animate an image in the style of your LoRAs.",
  "svc/adult-img-1": "Adult images from a prompt.",
  "svc/adult-img-2": "Adult images from a prompt.",
  "svc/adult-edit": "Edit an image with a prompt; adult content is allowed.",
  "svc/swap-1": "Swap a face from one image into another.",
  "svc/swap-2": "Swap a head from one image into another.",
  "svc/adult-animate": "Animate an image with the motion of a video, or replace the person in a video.",
  "svc/adult-upscale": "Upscale a video, up to 4K.",
};

/** The purpose of an operation, for models without a line of their own. */
const ofOperation: Record<ApiType, string> = {
  "chat-completions": "Chat.",
  "text-to-speech": "Speech from text.",
  "audio-transcription": "Speech to text.",
  "voice-management": "Create and manage voices.",
  "image-generation": "Images from a prompt.",
  "image-editing": "Image edits.",
  "video-generation": "Video.",
  embeddings: "Vectors of texts, for search and comparison.",
  rerank: "Texts sorted by how well they answer a question.",
};

export function purposeOf(id: string, apiTypes: readonly string[]): string {
  return purposes[id] ?? apiTypes.map((apiType) => ofOperation[apiType as ApiType] ?? apiType).join(" ");
}

/** The name of the picture in `public/covers`. Null without one. */
export function coverOf(id: string): string | null {
  return id in purposes ? (id.split("/")[1] ?? null) : null;
}
