import { useAccess } from "@/components/team/access";
import type { RailSection } from "@/lib/preferences";
import { pages, type RailPage } from "@/lib/resource-pages";
import type { ShellIconName } from "./shell-icon.tsx";

export interface Destination extends RailPage {
  icon: ShellIconName;
}

/**
 * Every page of the rail and the palette, in the rail's order. The name is also the page's title, and the
 * last part of its address.
 */
export const destinations: readonly Destination[] = Object.values(pages).flatMap((page) =>
  "rail" in page ? page.rail : [],
);

/** The groups by the key that opens their first page after G: the first letter that no group above has. */
export const groupKeys = new Map<string, Destination["group"]>();
for (const { group } of destinations)
  if (![...groupKeys.values()].includes(group))
    groupKeys.set([...group].find((letter) => !groupKeys.has(letter)) ?? "", group);

/** The sections of the rail that can be opened, in its order. */
export const sections: readonly { name: RailSection; icon: ShellIconName }[] = [
  { name: "build", icon: "hammer" },
  { name: "results", icon: "package-open" },
  { name: "developers", icon: "terminal" },
  { name: "account", icon: "building" },
  { name: "help", icon: "life-buoy" },
];

/** The operators' first page. */
export const instanceHref = "/operator/providers";

/** Whether a page changes the whole installation. */
export function isOfInstance(pathname: string): boolean {
  return pathname === "/operator" || pathname.startsWith("/operator/");
}

/**
 * The page of the rail to which `pathname` belongs. Team is below Settings in the address, but is a separate
 * page.
 */
export function destinationOf(pathname: string): Destination | undefined {
  if (pathname.startsWith("/playground/")) return destinationOf("/catalog");
  return destinations
    .filter(({ href }) => pathname === href || (href !== "/" && pathname.startsWith(`${href}/`)))
    .reduce<Destination | undefined>(
      (closest, each) => (closest && closest.href.length > each.href.length ? closest : each),
      undefined,
    );
}

/** Whether the page at `pathname` belongs to the destination. */
export function isCurrent({ href }: Pick<Destination, "href">, pathname: string): boolean {
  return destinationOf(pathname)?.href === href;
}

/**
 * The pages that the visitor's role may see, plus the operators' pages for operators, without those that this
 * installation does not offer.
 */
export function useDestinations(): readonly Destination[] {
  const { may, operator, keepsOutputs } = useAccess();
  return destinations.filter(
    (page) =>
      (!page.permission || may(page.permission)) &&
      (page.group !== "instance" || operator) &&
      (!page.keepsOutputs || keepsOutputs),
  );
}
