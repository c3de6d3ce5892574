import {
  Activity,
  BookOpen,
  BookOpenText,
  ChartColumn,
  Clapperboard,
  Globe,
  House,
  KeyRound,
  LayoutGrid,
  type LucideIcon,
  ScrollText,
  Send,
  ShieldCheck,
  Upload,
  Webhook,
} from "lucide-react";

export interface Destination {
  label: string;
  href: string;
  icon: LucideIcon;
  /** Pressed after G. */
  letter: string;
  group: "work" | "webhooks" | "account" | "help";
}

/** Every page of the rail, the palette and the shortcuts, in the rail's order. */
export const destinations: readonly Destination[] = [
  { label: "Home", href: "/", icon: House, letter: "h", group: "work" },
  { label: "Catalog", href: "/catalog", icon: LayoutGrid, letter: "c", group: "work" },
  { label: "Predictions", href: "/predictions", icon: Clapperboard, letter: "p", group: "work" },
  { label: "Uploads", href: "/uploads", icon: Upload, letter: "u", group: "work" },
  { label: "Endpoints", href: "/webhooks/endpoints", icon: Webhook, letter: "e", group: "webhooks" },
  { label: "Deliveries", href: "/webhooks/deliveries", icon: Send, letter: "d", group: "webhooks" },
  { label: "Attestations", href: "/attestations", icon: ShieldCheck, letter: "t", group: "account" },
  { label: "Usage", href: "/usage", icon: ChartColumn, letter: "s", group: "account" },
  { label: "Keys", href: "/keys", icon: KeyRound, letter: "k", group: "account" },
  { label: "Requests", href: "/requests", icon: Activity, letter: "r", group: "account" },
  { label: "Audit log", href: "/audit-logs", icon: ScrollText, letter: "a", group: "account" },
  { label: "Regions", href: "/regions", icon: Globe, letter: "o", group: "help" },
  { label: "Guides", href: "/guides", icon: BookOpenText, letter: "g", group: "help" },
  { label: "API reference", href: "/docs", icon: BookOpen, letter: "i", group: "help" },
];

export const groupLabels: Record<Destination["group"], string | null> = {
  work: null,
  webhooks: "Webhooks",
  account: "Account",
  help: "Gateway",
};

/** Whether the page at `pathname` belongs to the destination. */
export function isCurrent(destination: Destination, pathname: string): boolean {
  if (destination.href === "/") return pathname === "/";
  if (destination.href === "/catalog" && pathname.startsWith("/playground/")) return true;
  return pathname === destination.href || pathname.startsWith(`${destination.href}/`);
}
