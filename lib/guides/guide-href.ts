import type { GuideSlug } from "./guide.ts";

/** The address of a guide's page. This file does not contain the titles, which most pages do not need. */
export function guideHref(slug: GuideSlug): string {
  return `/guides/${slug}`;
}
