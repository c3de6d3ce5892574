import type { Destination } from "#contract/copies.ts";
import type { Words } from "@/messages/words";

/** Bucket and prefix as one text. */
export function bucketName({ bucket, prefix }: Pick<Destination, "bucket" | "prefix">): string {
  return `${bucket}/${prefix}`;
}

/** The models whose outputs are copied without being asked. */
export function describeAutomatic(
  t: Words<"destinations">,
  { automatic, models }: Pick<Destination, "automatic" | "models">,
): string {
  if (automatic === "off") return t("nothing");
  return automatic === "all" ? t("copiesAllModels") : t("copiesModels", { count: models.length });
}
