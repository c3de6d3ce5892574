import {
  Activity,
  BookOpen,
  BookOpenText,
  Boxes,
  ChartColumn,
  Clapperboard,
  Globe,
  HeartPulse,
  House,
  KeyRound,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  PlugZap,
  ScrollText,
  Send,
  ShieldCheck,
  Upload,
  Users,
  Waypoints,
  Webhook,
} from "lucide-react";
import type { Permission } from "#contract/permissions.ts";

export interface Destination {
  label: string;
  href: string;
  icon: LucideIcon;
  /** Pressed after G. */
  letter: string;
  group: "work" | "webhooks" | "account" | "instance" | "help";
  /** What a member's role must permit; pages that everybody may see have none. */
  permission?: Permission;
}

/** Every page of the rail, the palette and the shortcuts, in the rail's order. */
export const destinations: readonly Destination[] = [
  {
    label: "Home",
    href: "/",
    icon: House,
    letter: "h",
    group: "work",
    permission: "predictions:read",
  },
  {
    label: "Catalog",
    href: "/catalog",
    icon: LayoutGrid,
    letter: "c",
    group: "work",
    permission: "predictions:read",
  },
  {
    label: "Predictions",
    href: "/predictions",
    icon: Clapperboard,
    letter: "p",
    group: "work",
    permission: "predictions:read",
  },
  {
    label: "Batches",
    href: "/batches",
    icon: ListChecks,
    letter: "b",
    group: "work",
    permission: "predictions:read",
  },
  {
    label: "Uploads",
    href: "/uploads",
    icon: Upload,
    letter: "u",
    group: "work",
    permission: "uploads:read",
  },
  {
    label: "Endpoints",
    href: "/webhooks/endpoints",
    icon: Webhook,
    letter: "e",
    group: "webhooks",
    permission: "endpoints:read",
  },
  {
    label: "Deliveries",
    href: "/webhooks/deliveries",
    icon: Send,
    letter: "d",
    group: "webhooks",
    permission: "deliveries:read",
  },
  {
    label: "Attestations",
    href: "/attestations",
    icon: ShieldCheck,
    letter: "t",
    group: "account",
    permission: "attestations:read",
  },
  {
    label: "Usage",
    href: "/usage",
    icon: ChartColumn,
    letter: "s",
    group: "account",
    permission: "usage:own",
  },
  {
    label: "Team",
    href: "/settings/team",
    icon: Users,
    letter: "m",
    group: "account",
    permission: "members:read",
  },
  {
    label: "Keys",
    href: "/keys",
    icon: KeyRound,
    letter: "k",
    group: "account",
    permission: "keys:own",
  },
  {
    label: "Requests",
    href: "/requests",
    icon: Activity,
    letter: "r",
    group: "account",
    permission: "requests:read",
  },
  {
    label: "Audit log",
    href: "/audit-logs",
    icon: ScrollText,
    letter: "a",
    group: "account",
    permission: "audit:read",
  },
  { label: "Providers", href: "/operator/providers", icon: PlugZap, letter: "v", group: "instance" },
  { label: "Mapping", href: "/operator/routes", icon: Waypoints, letter: "n", group: "instance" },
  { label: "Models", href: "/operator/models", icon: Boxes, letter: "l", group: "instance" },
  { label: "Health", href: "/operator/health", icon: HeartPulse, letter: "y", group: "instance" },
  { label: "Changes", href: "/operator/changes", icon: ScrollText, letter: "w", group: "instance" },
  {
    label: "Regions",
    href: "/regions",
    icon: Globe,
    letter: "o",
    group: "help",
  },
  { label: "Guides", href: "/guides", icon: BookOpenText, letter: "g", group: "help" },
  { label: "API reference", href: "/docs", icon: BookOpen, letter: "i", group: "help" },
];

export const groupLabels: Record<Destination["group"], string | null> = {
  work: null,
  webhooks: "Webhooks",
  account: "Account",
  instance: "Instance",
  help: "Gateway",
};

/** Whether the page at `pathname` belongs to the destination. */
export function isCurrent(destination: Destination, pathname: string): boolean {
  if (destination.href === "/") return pathname === "/";
  if (destination.href === "/catalog" && pathname.startsWith("/playground/")) return true;
  return pathname === destination.href || pathname.startsWith(`${destination.href}/`);
}
