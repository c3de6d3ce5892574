import type { Permission } from "#contract/accounts/permissions.ts";
import type { RailSection } from "@/lib/preferences";
import type { ShellIconName } from "./shell-icon.tsx";

export interface Destination {
  label: string;
  href: string;
  icon: ShellIconName;
  /** Pressed after G; a digit once the letters are used up. */
  letter: string;
  /**
   * `home` is above the sections, `instance` is the operators' section, and the others are sections that
   * open.
   */
  group: "home" | RailSection | "instance";
  /** Permission that a member's role needs; missing for pages that everybody may see. */
  permission?: Permission;
  /** Only if outputs can be kept. */
  keepsOutputs?: true;
}

/**
 * Every page of the rail, the palette and the shortcuts, in the rail's order. A name is also the page's title, and
 * the last part of its address.
 */
export const destinations: readonly Destination[] = [
  { label: "Home", href: "/", icon: "house", letter: "h", group: "home", permission: "predictions:read" },
  {
    label: "Catalog",
    href: "/catalog",
    icon: "layout-grid",
    letter: "c",
    group: "build",
    permission: "predictions:read",
  },
  {
    label: "Compare",
    href: "/compare",
    icon: "columns-2",
    letter: "7",
    group: "build",
    permission: "operations:run",
  },
  {
    label: "Presets",
    href: "/presets",
    icon: "sliders",
    letter: "8",
    group: "build",
    permission: "presets:read",
  },
  {
    label: "Conversations",
    href: "/conversations",
    icon: "messages",
    letter: "9",
    group: "build",
    permission: "conversations:read",
  },
  {
    label: "Predictions",
    href: "/predictions",
    icon: "clapperboard",
    letter: "p",
    group: "results",
    permission: "predictions:read",
  },
  {
    label: "Batches",
    href: "/batches",
    icon: "list-checks",
    letter: "b",
    group: "results",
    permission: "predictions:read",
  },
  {
    label: "Library",
    href: "/library",
    icon: "bookmark",
    letter: "4",
    group: "results",
    permission: "predictions:read",
    keepsOutputs: true,
  },
  {
    label: "Uploads",
    href: "/uploads",
    icon: "upload",
    letter: "u",
    group: "results",
    permission: "uploads:read",
  },
  {
    label: "Destinations",
    href: "/destinations",
    icon: "folder-output",
    letter: "6",
    group: "results",
    permission: "copies:read",
  },
  {
    label: "Keys",
    href: "/keys",
    icon: "key-round",
    letter: "k",
    group: "developers",
    permission: "keys:own",
  },
  {
    label: "Endpoints",
    href: "/webhooks/endpoints",
    icon: "webhook",
    letter: "e",
    group: "developers",
    permission: "endpoints:read",
  },
  {
    label: "Deliveries",
    href: "/webhooks/deliveries",
    icon: "send",
    letter: "d",
    group: "developers",
    permission: "deliveries:read",
  },
  {
    label: "Requests",
    href: "/requests",
    icon: "arrow-left-right",
    letter: "r",
    group: "developers",
    permission: "requests:read",
  },
  {
    label: "Activity",
    href: "/activity",
    icon: "activity",
    letter: "f",
    group: "developers",
    permission: "requests:read",
  },
  {
    label: "Connections",
    href: "/settings/connections",
    icon: "cable",
    letter: "q",
    group: "developers",
    permission: "connections:own",
  },
  {
    label: "Aliases",
    href: "/aliases",
    icon: "signpost",
    letter: "x",
    group: "developers",
    permission: "aliases:read",
  },
  {
    label: "Usage",
    href: "/usage",
    icon: "chart-column",
    letter: "s",
    group: "account",
    permission: "usage:own",
  },
  {
    label: "Team",
    href: "/settings/team",
    icon: "users",
    letter: "m",
    group: "account",
    permission: "members:read",
  },
  {
    label: "Attestations",
    href: "/attestations",
    icon: "shield-check",
    letter: "t",
    group: "account",
    permission: "attestations:read",
  },
  {
    label: "Notifications",
    href: "/settings/notifications",
    icon: "bell",
    letter: "3",
    group: "account",
    permission: "notices:read",
  },
  {
    label: "Audit log",
    href: "/audit-log",
    icon: "scroll-text",
    letter: "a",
    group: "account",
    permission: "audit:read",
  },
  { label: "Settings", href: "/settings", icon: "settings", letter: ",", group: "account" },
  { label: "Guides", href: "/guides", icon: "book-open-text", letter: "g", group: "help" },
  { label: "API reference", href: "/api-reference", icon: "book-open", letter: "i", group: "help" },
  { label: "Status and regions", href: "/status-and-regions", icon: "signal", letter: "o", group: "help" },
  { label: "First steps", href: "/operator/first-steps", icon: "flag", letter: "0", group: "instance" },
  { label: "Providers", href: "/operator/providers", icon: "plug-zap", letter: "v", group: "instance" },
  { label: "Mapping", href: "/operator/mapping", icon: "waypoints", letter: "n", group: "instance" },
  { label: "Models", href: "/operator/models", icon: "boxes", letter: "l", group: "instance" },
  { label: "Prices", href: "/operator/prices", icon: "tag", letter: "1", group: "instance" },
  { label: "All usage", href: "/operator/all-usage", icon: "chart-column", letter: "2", group: "instance" },
  { label: "Health", href: "/operator/health", icon: "heart-pulse", letter: "y", group: "instance" },
  { label: "Accounts", href: "/operator/accounts", icon: "users", letter: "j", group: "instance" },
  { label: "Changes", href: "/operator/changes", icon: "scroll-text", letter: "w", group: "instance" },
  { label: "Signing", href: "/operator/signing", icon: "shield-check", letter: "5", group: "instance" },
  { label: "Mail", href: "/operator/mail", icon: "send", letter: "z", group: "instance" },
];

export const groupLabels: Record<Destination["group"], string | null> = {
  home: null,
  build: "Build",
  results: "Results",
  developers: "Developers",
  account: "Account",
  help: "Help",
  instance: "Instance",
};

/** The sections of the rail that open, in its order. */
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

/** The page of the rail that `pathname` belongs to: Team is below Settings in the address, but a page of its own. */
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
