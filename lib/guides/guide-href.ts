import type { GuideSlug } from "./titles.ts";

/** The page of a guide; apart from the titles, which most pages do not need. */
export function guideHref(slug: GuideSlug): string {
  return `/guides/${slug}`;
}
