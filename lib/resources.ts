import type { IdKind, IdPrefix } from "#contract/resources.ts";
import { idsIn } from "./ids-in.ts";
import { pages } from "./resource-pages.ts";

/** A page of the console for each id of a kind. */
interface IdPage {
  prefix: string;
  /** The resource's name in `pages`. */
  what: string;
  /** The part of the address before the id. */
  path: string;
}

const idPages: readonly IdPage[] = Object.entries(pages).flatMap(([name, page]) =>
  "prefix" in page
    ? {
        prefix: page.prefix,
        what: name,
        path: "path" in page ? page.path : `${page.rail.href}/`,
      }
    : [],
);

/** The console's page for an id. Undefined if its kind has no page. */
export function idHref(id: string): string | undefined {
  const page = pageOf(id);
  return page && `${page.path}${id}`;
}

/**
 * The page for the identifier in `text`, even if it was copied with quotes, its name or its address. Null:
 * there is no page.
 */
export function goToId(text: string): { what: string; href: string; id: string } | null {
  for (const id of idsIn(text)) {
    const page = pageOf(id);
    if (page) return { what: page.what, href: `${page.path}${id}`, id };
  }
  return null;
}

/** Whether a text has the form of an identifier with this prefix. */
export function hasIdForm(prefix: IdPrefix<IdKind>, text: unknown): text is string {
  return typeof text === "string" && new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`).test(text);
}

function pageOf(id: string): IdPage | undefined {
  return idPages.find(({ prefix }) => id.startsWith(`${prefix}_`));
}
