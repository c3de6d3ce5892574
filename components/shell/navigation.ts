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
   * `work` is always open in the rail, `instance` is the operators' section, and the others are sections that
   * open.
   */
  group: "work" | RailSection | "instance";
  /** Permission that a member's role needs; missing for pages that everybody may see. */
  permission?: Permission;
  /** Only if outputs can be kept. */
  keepsOutputs?: true;
}

/** Every page of the rail, the palette and the shortcuts, in the rail's order. */
export const destinations: readonly Destination[] = [
  {
    label: "Home",
    href: "/",
    icon: "house",
    letter: "h",
    group: "work",
    permission: "predictions:read",
  },
  {
    label: "Catalog",
    href: "/catalog",
    icon: "layout-grid",
    letter: "c",
    group: "work",
    permission: "predictions:read",
  },
  {
    label: "Compare",
    href: "/compare",
    icon: "columns-2",
    letter: "7",
    group: "work",
    permission: "operations:run",
  },
  {
    label: "Predictions",
    href: "/predictions",
    icon: "clapperboard",
    letter: "p",
    group: "work",
    permission: "predictions:read",
  },
  {
    label: "Batches",
    href: "/batches",
    icon: "list-checks",
    letter: "b",
    group: "work",
    permission: "predictions:read",
  },
  {
    label: "Library",
    href: "/library",
    icon: "bookmark",
    letter: "4",
    group: "work",
    permission: "predictions:read",
    keepsOutputs: true,
  },
  {
    label: "Uploads",
    href: "/uploads",
    icon: "upload",
    letter: "u",
    group: "work",
    permission: "uploads:read",
  },
  {
    label: "Activity",
    href: "/activity",
    icon: "activity",
    letter: "f",
    group: "work",
    permission: "requests:read",
  },
  {
    label: "Endpoints",
    href: "/webhooks/endpoints",
    icon: "webhook",
    letter: "e",
    group: "webhooks",
    permission: "endpoints:read",
  },
  {
    label: "Deliveries",
    href: "/webhooks/deliveries",
    icon: "send",
    letter: "d",
    group: "webhooks",
    permission: "deliveries:read",
  },
  {
    label: "Destinations",
    href: "/destinations",
    icon: "folder-output",
    letter: "6",
    group: "webhooks",
    permission: "copies:read",
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
    label: "Keys",
    href: "/keys",
    icon: "key-round",
    letter: "k",
    group: "account",
    permission: "keys:own",
  },
  {
    label: "Connections",
    href: "/settings/connections",
    icon: "cable",
    letter: "q",
    group: "account",
    permission: "connections:own",
  },
  {
    label: "Aliases",
    href: "/aliases",
    icon: "signpost",
    letter: "x",
    group: "account",
    permission: "aliases:read",
  },
  {
    label: "Requests",
    href: "/requests",
    icon: "arrow-left-right",
    letter: "r",
    group: "account",
    permission: "requests:read",
  },
  {
    label: "Audit log",
    href: "/audit-logs",
    icon: "scroll-text",
    letter: "a",
    group: "account",
    permission: "audit:read",
  },
  { label: "First steps", href: "/operator/first-steps", icon: "flag", letter: "0", group: "instance" },
  { label: "Providers", href: "/operator/providers", icon: "plug-zap", letter: "v", group: "instance" },
  { label: "Mapping", href: "/operator/routes", icon: "waypoints", letter: "n", group: "instance" },
  { label: "Models", href: "/operator/models", icon: "boxes", letter: "l", group: "instance" },
  { label: "Prices", href: "/operator/prices", icon: "tag", letter: "1", group: "instance" },
  { label: "All usage", href: "/operator/usage", icon: "chart-column", letter: "2", group: "instance" },
  { label: "Health", href: "/operator/health", icon: "heart-pulse", letter: "y", group: "instance" },
  { label: "Accounts", href: "/operator/accounts", icon: "users", letter: "j", group: "instance" },
  { label: "Changes", href: "/operator/changes", icon: "scroll-text", letter: "w", group: "instance" },
  { label: "Signing", href: "/operator/signing", icon: "shield-check", letter: "5", group: "instance" },
  { label: "Notices", href: "/operator/mail", icon: "send", letter: "z", group: "instance" },
  { label: "Status", href: "/status", icon: "signal", letter: "3", group: "help" },
  {
    label: "Regions",
    href: "/regions",
    icon: "globe",
    letter: "o",
    group: "help",
  },
  { label: "Guides", href: "/guides", icon: "book-open-text", letter: "g", group: "help" },
  { label: "API reference", href: "/docs", icon: "book-open", letter: "i", group: "help" },
];

export const groupLabels: Record<Destination["group"], string | null> = {
  work: null,
  webhooks: "Webhooks",
  account: "Account",
  help: "Help",
  instance: "Instance",
};

/** The sections of the rail that open, in its order. */
export const sections: readonly { name: RailSection; icon: ShellIconName }[] = [
  { name: "webhooks", icon: "webhook" },
  { name: "account", icon: "building" },
  { name: "help", icon: "life-buoy" },
];

/** The operators' first page. */
export const instanceHref = "/operator/providers";

/** Whether a page changes the whole installation. */
export function isOfInstance(pathname: string): boolean {
  return pathname === "/operator" || pathname.startsWith("/operator/");
}

/** Whether the page at `pathname` belongs to the destination. */
export function isCurrent(destination: Destination, pathname: string): boolean {
  if (destination.href === "/") return pathname === "/";
  if (destination.href === "/catalog" && pathname.startsWith("/playground/")) return true;
  return pathname === destination.href || pathname.startsWith(`${destination.href}/`);
}
