import type { OutputFile, Prediction } from "#contract/prediction.ts";
import type { ShownFile } from "@/components/media/media-preview";

const guessedTypes: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  webm: "video/webm",
};

/** The stored files that this reader may see. If a gateway sends no `data`, they are taken from `output`. */
export function outputFiles(prediction: Pick<Prediction, "data" | "output" | "api_type">): ShownFile[] {
  if (prediction.data) return shownFiles(prediction.data);
  const urls = prediction.output === null ? [] : [prediction.output].flat();
  return urls.map((url) => ({
    url,
    preview_url: null,
    content_type: guessType(url, prediction.api_type),
    size_bytes: 0,
    width: null,
    height: null,
    duration: null,
  }));
}

/** The stored files whose URLs this reader may have. */
export function shownFiles(files: readonly OutputFile[]): ShownFile[] {
  return files.flatMap(({ gated: _, ...file }) => (file.url === null ? [] : [{ ...file, url: file.url }]));
}

/** The bytes of all files together. 0 if the gateway does not return sizes. */
export function totalBytes(files: ShownFile[]): number {
  return files.reduce((sum, file) => sum + file.size_bytes, 0);
}

/** `pred_…-2.png`: the id distinguishes files of several predictions. */
export function outputFileName(
  id: string,
  file: Pick<ShownFile, "content_type">,
  index: number,
  count: number,
): string {
  const subtype = file.content_type.split(";")[0]?.split("/")[1] ?? "bin";
  const extension = { jpeg: "jpg", mpeg: "mp3", quicktime: "mov", "x-wav": "wav" }[subtype] ?? subtype;
  return count === 1 ? `${id}.${extension}` : `${id}-${index + 1}.${extension}`;
}

function guessType(url: string, apiType: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const guessed = guessedTypes[path.split(".").pop()?.toLowerCase() ?? ""];
  if (guessed) return guessed;
  return apiType === "video-generation" ? "video/mp4" : "image/png";
}
