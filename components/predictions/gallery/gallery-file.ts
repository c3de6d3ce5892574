import type { Output } from "#contract/outputs.ts";
import { mediaFamily } from "@/components/media/media-family";
import { formatTime } from "@/lib/format";

const kinds = { image: "Image", video: "Video", audio: "Sound", other: "File" };

/** `Image by svc/img-gen-b, 25 Nov 2026, 14:05`. */
export function fileTitle(
  file: Pick<Output, "content_type" | "model" | "created_at">,
  timeZone: string,
): string {
  return `${kinds[mediaFamily(file.content_type)]} by ${file.model}, ${formatTime(file.created_at, timeZone)}`;
}
