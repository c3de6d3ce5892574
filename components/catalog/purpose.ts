import { byName } from "#contract/by-name.ts";
import type { ApiType } from "#contract/catalog.ts";
import type { Key, Words } from "@/messages/words";

/** The messages that say what each known model does. */
const purposes = byName({
  "svc/chat-1": "chat1",
  "svc/chat-2": "chat2",
  "svc/tts-a-1": "ttsA1",
  "svc/tts-a-2": "ttsA2",
  "svc/tts-b-1": "ttsB1",
  "svc/tts-b-2": "ttsB2",
  "svc/asr-1": "asr1",
  "svc/asr-2": "asr2",
  "svc/asr-3": "asr3",
  "svc/voice-1": "voice1",
  "svc/voice-2": "voice2",
  "svc/img-gen-a-1": "imgGenA1",
  "svc/img-gen-a-2": "imgGenA2",
  "svc/img-gen-a-3": "imgGenA3",
  "svc/img-gen-b": "imgGenB",
  "svc/vid-t2v": "vidT2v",
  "svc/vid-r2v": "vidR2v",
  "svc/vid-edit": "vidEdit",
  "svc/adult-vid-1": "adultVid1",
  "svc/adult-vid-2": "adultVid2",
  "svc/adult-vid-3": "adultVid3",
  "svc/adult-vid-4": "adultVid4",
  "svc/adult-i2v-1": "adultI2v1",
  "svc/adult-i2v-2": "adultI2v2",
  "svc/adult-i2v-3": "adultI2v3",
  "svc/adult-img-1": "adultImg1",
  "svc/adult-img-2": "adultImg2",
  "svc/adult-edit": "adultEdit",
  "svc/swap-1": "swap1",
  "svc/swap-2": "swap2",
  "svc/adult-animate": "adultAnimate",
  "svc/adult-upscale": "adultUpscale",
} as const satisfies Record<string, Key<"purposes">>);

/** The same for an operation, for models without a line of their own. */
const ofOperation = byName({
  "chat-completions": "anyChatCompletions",
  "text-to-speech": "anyTextToSpeech",
  "audio-transcription": "anyAudioTranscription",
  "voice-management": "anyVoiceManagement",
  "image-generation": "anyImageGeneration",
  "image-editing": "anyImageEditing",
  "video-generation": "anyVideoGeneration",
  embeddings: "anyEmbeddings",
  rerank: "anyRerank",
} as const satisfies Record<ApiType, Key<"purposes">>);

/** What a model or its operations do, in one line. */
export function purposeOf(t: Words<"purposes">, id: string, apiTypes: readonly string[]): string {
  const own = purposes[id];
  if (own) return t(own);
  const parts = apiTypes.map((apiType) => {
    const key = ofOperation[apiType];
    return key ? t(key) : apiType;
  });
  return parts.join(t.language === "en" ? " " : "");
}

const keywords = byName({
  "chat-completions": "chatCompletionsFind",
  "text-to-speech": "textToSpeechFind",
  "audio-transcription": "audioTranscriptionFind",
  "voice-management": "voiceManagementFind",
  "image-generation": "imageGenerationFind",
  "image-editing": "imageEditingFind",
  "video-generation": "videoGenerationFind",
  embeddings: "embeddingsFind",
  rerank: "rerankFind",
} as const satisfies Record<ApiType, Key<"purposes">>);

/** What people search for when they want this operation, such as `remove background` or `voice over`. */
export function keywordsOf(t: Words<"purposes">, apiType: string): string {
  const key = keywords[apiType];
  return key ? t(key) : "";
}

/** The name of the picture in `public/covers`. Null without one. */
export function coverOf(id: string): string | null {
  return purposes[id] ? (id.split("/")[1] ?? null) : null;
}
