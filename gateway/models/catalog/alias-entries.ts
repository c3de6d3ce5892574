import { createHash } from "node:crypto";
import type { CatalogModel } from "#contract/catalog.ts";
import type { Context } from "#gateway/context.ts";
import { type CatalogFilter, matches } from "./filter.ts";

interface Named {
  name: string;
  models: readonly string[];
}

/** The entry of a name that stands for models: that of the first one that the viewer has. Null if there is none. */
export function aliasEntry(
  { catalog }: Pick<Context, "catalog">,
  viewer: string | null,
  { name, models }: Named,
): CatalogModel | null {
  if (catalog.has(name, viewer)) return null;
  const usable = models.filter((id) => catalog.has(id, viewer));
  const model = catalog.model(usable[0] ?? "", viewer);
  return model && { ...model, id: name, alias_of: usable };
}

/** Those of all names that fit a filter. */
export function aliasEntries(
  context: Pick<Context, "catalog">,
  viewer: string | null,
  aliases: readonly Named[],
  filter: CatalogFilter,
): CatalogModel[] {
  const entries = aliases.flatMap((alias) => aliasEntry(context, viewer, alias) ?? []);
  return entries.filter((entry) => matches({ ...entry, id: entry.id.toLowerCase() }, filter));
}

/** A tag that also changes with these names. */
export function withAliases(etag: string, aliases: readonly Named[]): string {
  if (aliases.length === 0) return etag;
  const said = JSON.stringify(aliases.map(({ name, models }) => [name, models]));
  return `${etag.slice(0, -1)}-${createHash("sha256").update(said).digest("hex").slice(0, 12)}"`;
}
