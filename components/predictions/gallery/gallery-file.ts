import type { Output } from "#contract/outputs.ts";
import { mediaFamily } from "@/components/media/media-family";
import { formatTime } from "@/lib/format";
import type { Words } from "@/messages/words";

/** `Image by svc/img-gen-b, 25 Nov 2026, 14:05`. */
export function fileTitle(
  t: Words<"ui">,
  file: Pick<Output, "content_type" | "model" | "created_at">,
  timeZone: string,
): string {
  return t("fileTitle", {
    kind: mediaFamily(file.content_type),
    model: file.model,
    at: formatTime(file.created_at, timeZone, t.language),
  });
}
