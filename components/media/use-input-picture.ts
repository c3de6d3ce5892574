import { useWords } from "#words";
import { useMediaFile } from "@/components/playground/form/media/media-thumb";
import { mediaIn, mediaValueOf } from "@/lib/schema-form/media-value";
import type { GridImage } from "./lightbox.tsx";

/**
 * The picture with which an edit began: the first file of its input. Null: it is no picture, or it is gone. `example`
 * is the operation's example, if the input may still have its files.
 */
export function useInputPicture(input: unknown, baseUrl: string, example?: unknown): GridImage | null {
  const t = useWords("media");
  const [text = ""] = mediaIn(input, baseUrl, 1);
  const { family, src } = useMediaFile(text, "image", baseUrl);
  if (family !== "image" || src === null) return null;
  return { url: src, width: null, height: null, alt: t(nameOf(text, baseUrl, example)) };
}

function nameOf(text: string, baseUrl: string, example: unknown) {
  if (mediaIn(example, baseUrl).includes(text)) return "exampleImage";
  // Of the other files, only an upload was surely chosen by a person.
  return mediaValueOf(text, baseUrl).source === "upload" ? "yourPhoto" : "inputImage";
}
