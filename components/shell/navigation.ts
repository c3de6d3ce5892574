import type { Permission } from "#contract/accounts/permissions.ts";
import { useAccess } from "@/components/team/access";
import type { RailSection } from "@/lib/preferences";
import { pages, type RailPage } from "@/lib/resource-pages";
import type { ShellIconName } from "./shell-icon.tsx";

/** A page of the rail. */
export interface Destination extends Omit<RailPage, "icon" | "group" | "permission"> {
  icon: ShellIconName;
  /** `home` is above the sections, `instance` is the operators' section, and the others can be opened. */
  group: "home" | RailSection | "instance";
  /** Permission that a member's role needs. Missing for pages that everybody may see. */
  permission?: Permission;
}

/** Pages of the rail that are not a list of a resource, and all operators' pages. */
const otherPages: readonly Destination[] = [
  {
    label: "Home",
    href: "/",
    icon: "house",
    letter: "h",
    group: "home",
    permission: "predictions:read",
    place: 0,
  },
  {
    label: "Catalog",
    href: "/catalog",
    icon: "layout-grid",
    letter: "c",
    group: "build",
    permission: "predictions:read",
    place: 10,
  },
  {
    label: "Compare",
    href: "/compare",
    icon: "columns-2",
    letter: "7",
    group: "build",
    permission: "operations:run",
    place: 20,
  },
  {
    label: "Activity",
    href: "/activity",
    icon: "activity",
    letter: "f",
    group: "developers",
    permission: "requests:read",
    place: 140,
  },
  { label: "Settings", href: "/settings", icon: "settings", letter: ",", group: "account", place: 220 },
  { label: "Guides", href: "/guides", icon: "book-open-text", letter: "g", group: "help", place: 230 },
  {
    label: "API reference",
    href: "/api-reference",
    icon: "book-open",
    letter: "i",
    group: "help",
    place: 240,
  },
  {
    label: "Status and regions",
    href: "/status-and-regions",
    icon: "signal",
    letter: "o",
    group: "help",
    place: 250,
  },
  {
    label: "First steps",
    href: "/operator/first-steps",
    icon: "flag",
    letter: "0",
    group: "instance",
    place: 260,
  },
  {
    label: "Providers",
    href: "/operator/providers",
    icon: "plug-zap",
    letter: "v",
    group: "instance",
    place: 270,
  },
  {
    label: "Mapping",
    href: "/operator/mapping",
    icon: "waypoints",
    letter: "n",
    group: "instance",
    place: 280,
  },
  { label: "Models", href: "/operator/models", icon: "boxes", letter: "l", group: "instance", place: 290 },
  { label: "Prices", href: "/operator/prices", icon: "tag", letter: "1", group: "instance", place: 300 },
  {
    label: "All usage",
    href: "/operator/all-usage",
    icon: "chart-column",
    letter: "2",
    group: "instance",
    place: 310,
  },
  {
    label: "Health",
    href: "/operator/health",
    icon: "heart-pulse",
    letter: "y",
    group: "instance",
    place: 320,
  },
  {
    label: "Accounts",
    href: "/operator/accounts",
    icon: "users",
    letter: "j",
    group: "instance",
    place: 330,
  },
  {
    label: "Reports",
    href: "/operator/reports",
    icon: "triangle-alert",
    letter: ".",
    group: "instance",
    place: 335,
  },
  {
    label: "Changes",
    href: "/operator/changes",
    icon: "scroll-text",
    letter: "w",
    group: "instance",
    place: 340,
  },
  {
    label: "Signing",
    href: "/operator/signing",
    icon: "shield-check",
    letter: "5",
    group: "instance",
    place: 350,
  },
  { label: "Mail", href: "/operator/mail", icon: "send", letter: "z", group: "instance", place: 360 },
];

/**
 * Every page of the rail, the palette and the shortcuts, in the rail's order. The name is also the page's
 * title, and the last part of its address.
 */
export const destinations: readonly Destination[] = [
  ...otherPages,
  ...Object.values(pages).flatMap((page) => ("rail" in page ? page.rail : [])),
].sort((one, other) => one.place - other.place);

export const groupLabels: Record<Destination["group"], string | null> = {
  home: null,
  build: "Build",
  results: "Results",
  developers: "Developers",
  account: "Account",
  help: "Help",
  instance: "Instance",
};

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
