import { useMediaFile } from "@/components/playground/form/media/media-thumb";
import { mediaIn } from "@/lib/schema-form/media-value";
import type { GridImage } from "./lightbox.tsx";

/** The photo with which an edit began: the first file of its input. Null: it is no picture, or it is gone. */
export function useInputPicture(input: unknown, baseUrl: string): GridImage | null {
  const [text = ""] = mediaIn(input, baseUrl, 1);
  const { family, src } = useMediaFile(text, "image", baseUrl);
  if (family !== "image" || src === null) return null;
  return { url: src, width: null, height: null, alt: "Your photo" };
}
