import type { Destination } from "#contract/copies.ts";
import { formatCount } from "@/lib/format";

/** Bucket and prefix as one text. */
export function bucketName({ bucket, prefix }: Pick<Destination, "bucket" | "prefix">): string {
  return `${bucket}/${prefix}`;
}

export function describeAutomatic({ automatic, models }: Pick<Destination, "automatic" | "models">): string {
  if (automatic === "off") return "Nothing";
  return automatic === "all" ? "All models" : formatCount(models.length, "model");
}
