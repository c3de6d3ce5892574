import type { ApiType } from "#contract/catalog.ts";
import { invalidSchema } from "../invalid-schema.ts";
import type { Outcome } from "./outcome.ts";

/** What decides between the kinds, beside the outcome. */
export interface Inputs {
  /** The kinds of media without which it does not run. */
  requiredMedia: readonly string[];
  /** All kinds of media that it accepts. */
  media: readonly string[];
  hasText: boolean;
}

/** Which of the gateway's kinds of operation a model is. Throws `invalid_schema` with the reason if it is none. */
export function kindOf(name: string, outcome: Outcome, { requiredMedia, media, hasText }: Inputs): ApiType {
  const refuse = (reason: string): never => {
    throw invalidSchema(`${name} cannot be imported: ${reason}`, "import.name");
  };
  switch (outcome) {
    case "image":
      return requiredMedia.length > 0 ? "image-editing" : "image-generation";
    case "video":
      return "video-generation";
    case "audio":
      return hasText
        ? "text-to-speech"
        : refuse("it makes audio from other media, and speech is made from a text here.");
    case "text":
      if (media.includes("audio")) return "audio-transcription";
      return refuse(
        media.length > 0
          ? "it describes pictures or videos in words, and no kind of operation does that."
          : "it answers with text. Chats need a provider of OpenAI's protocol; import the model from one.",
      );
    case "other":
      return refuse("its output is not an image, video, speech or text.");
  }
}
