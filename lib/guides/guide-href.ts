import type { GuideSlug } from "./titles.ts";

/** The page of a guide. In a file without the titles, which most pages do not need. */
export function guideHref(slug: GuideSlug): string {
  return `/guides/${slug}`;
}
