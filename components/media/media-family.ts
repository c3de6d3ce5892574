export type MediaFamily = "image" | "audio" | "video" | "other";

/** The player for a content type. */
export function mediaFamily(contentType: string): MediaFamily {
  const family = contentType.split("/", 1)[0];
  return family === "image" || family === "audio" || family === "video" ? family : "other";
}
