import type { IdKind, IdPrefix, Permission } from "#contract/resources.ts";
import type en from "../messages/en/pages.ts";
import type { RailSection } from "./preferences.ts";

/** The name of a page's title in `messages/`. */
export type PageTitle = keyof typeof en;

/** A page of the navigation rail, which the command palette lists too. */
export interface RailPage {
  /** The page's title, which is also its label in the rail. */
  title: PageTitle;
  /** Ends with the English title. */
  href: string;
  /** A drawing of `components/shell/shell-icon.tsx`. */
  icon: string;
  /** `home` is above the sections, `instance` is the operators' section, and the others can be opened. */
  group: "home" | RailSection | "instance";
  /** Permission that a member's role needs. Missing for pages that everybody may see. */
  permission?: Permission;
  /** True if the page is shown only when this gateway can keep outputs. */
  keepsOutputs?: true;
}

interface Page {
  rail?: RailPage;
  /** The prefix of the resource's ids, if each resource has a page. */
  prefix?: IdPrefix<IdKind>;
  /** The part of the address before the id, if it differs from the list's address. */
  path?: string;
}

/** The console's pages of each resource and its other pages, in the order of the rail. Every page loads this. */
export const pages = {
  home: {
    rail: { title: "home", href: "/", icon: "house", group: "home", permission: "predictions:read" },
  },
  catalog: {
    rail: {
      title: "catalog",
      href: "/catalog",
      icon: "layout-grid",
      group: "build",
      permission: "predictions:read",
    },
  },
  compare: {
    rail: {
      title: "compare",
      href: "/compare",
      icon: "columns-2",
      group: "build",
      permission: "operations:run",
    },
  },
  preset: {
    prefix: "pst",
    rail: { title: "presets", href: "/presets", icon: "sliders", group: "build", permission: "presets:read" },
  },
  conversation: {
    prefix: "conv",
    rail: {
      title: "conversations",
      href: "/conversations",
      icon: "messages",
      group: "build",
      permission: "conversations:read",
    },
  },
  prediction: {
    prefix: "pred",
    rail: {
      title: "predictions",
      href: "/predictions",
      icon: "clapperboard",
      group: "results",
      permission: "predictions:read",
    },
  },
  batch: {
    prefix: "batch",
    rail: {
      title: "batches",
      href: "/batches",
      icon: "list-checks",
      group: "results",
      permission: "predictions:read",
    },
  },
  output: {
    rail: {
      title: "library",
      href: "/library",
      icon: "bookmark",
      group: "results",
      permission: "predictions:read",
      keepsOutputs: true,
    },
  },
  upload: {
    rail: {
      title: "uploads",
      href: "/uploads",
      icon: "upload",
      group: "results",
      permission: "uploads:read",
    },
  },
  destination: {
    prefix: "dst",
    rail: {
      title: "destinations",
      href: "/destinations",
      icon: "folder-output",
      group: "results",
      permission: "copies:read",
    },
  },
  key: {
    rail: { title: "keys", href: "/keys", icon: "key-round", group: "developers", permission: "keys:own" },
  },
  endpoint: {
    prefix: "we",
    rail: {
      title: "endpoints",
      href: "/webhooks/endpoints",
      icon: "webhook",
      group: "developers",
      permission: "endpoints:read",
    },
  },
  delivery: {
    prefix: "dlv",
    rail: {
      title: "deliveries",
      href: "/webhooks/deliveries",
      icon: "send",
      group: "developers",
      permission: "deliveries:read",
    },
  },
  event: {
    prefix: "evt",
    path: "/webhooks/deliveries?event_id=",
  },
  request: {
    prefix: "req",
    rail: {
      title: "requests",
      href: "/requests",
      icon: "arrow-left-right",
      group: "developers",
      permission: "requests:read",
    },
  },
  activity: {
    rail: {
      title: "activity",
      href: "/activity",
      icon: "activity",
      group: "developers",
      permission: "requests:read",
    },
  },
  connection: {
    rail: {
      title: "connections",
      href: "/settings/connections",
      icon: "cable",
      group: "developers",
      permission: "connections:own",
    },
  },
  alias: {
    rail: {
      title: "aliases",
      href: "/aliases",
      icon: "signpost",
      group: "developers",
      permission: "aliases:read",
    },
  },
  usage: {
    rail: { title: "usage", href: "/usage", icon: "chart-column", group: "account", permission: "usage:own" },
  },
  member: {
    rail: {
      title: "team",
      href: "/settings/team",
      icon: "users",
      group: "account",
      permission: "members:read",
    },
  },
  attestation: {
    rail: {
      title: "attestations",
      href: "/attestations",
      icon: "shield-check",
      group: "account",
      permission: "attestations:read",
    },
  },
  notice: {
    rail: {
      title: "notifications",
      href: "/settings/notifications",
      icon: "bell",
      group: "account",
      permission: "notices:read",
    },
  },
  audit: {
    rail: {
      title: "auditLog",
      href: "/audit-log",
      icon: "scroll-text",
      group: "account",
      permission: "audit:read",
    },
  },
  settings: {
    rail: { title: "settings", href: "/settings", icon: "settings", group: "account" },
  },
  guides: {
    rail: { title: "guides", href: "/guides", icon: "book-open-text", group: "help" },
  },
  apiReference: {
    rail: { title: "apiReference", href: "/api-reference", icon: "book-open", group: "help" },
  },
  statusAndRegions: {
    rail: { title: "statusAndRegions", href: "/status-and-regions", icon: "signal", group: "help" },
  },
  firstSteps: {
    rail: { title: "firstSteps", href: "/operator/first-steps", icon: "flag", group: "instance" },
  },
  providers: {
    rail: { title: "providers", href: "/operator/providers", icon: "plug-zap", group: "instance" },
  },
  mapping: {
    rail: { title: "mapping", href: "/operator/mapping", icon: "waypoints", group: "instance" },
  },
  models: {
    rail: { title: "models", href: "/operator/models", icon: "boxes", group: "instance" },
  },
  prices: {
    rail: { title: "prices", href: "/operator/prices", icon: "tag", group: "instance" },
  },
  allUsage: {
    rail: { title: "allUsage", href: "/operator/all-usage", icon: "chart-column", group: "instance" },
  },
  health: {
    rail: { title: "health", href: "/operator/health", icon: "heart-pulse", group: "instance" },
  },
  accounts: {
    rail: { title: "accounts", href: "/operator/accounts", icon: "users", group: "instance" },
  },
  reports: {
    rail: { title: "reports", href: "/operator/reports", icon: "triangle-alert", group: "instance" },
  },
  changes: {
    rail: { title: "changes", href: "/operator/changes", icon: "scroll-text", group: "instance" },
  },
  signing: {
    rail: { title: "signing", href: "/operator/signing", icon: "shield-check", group: "instance" },
  },
  installationGuard: {
    rail: {
      title: "installationGuard",
      href: "/operator/installation-guard",
      icon: "shield-ban",
      group: "instance",
    },
  },
  mail: {
    rail: { title: "mail", href: "/operator/mail", icon: "send", group: "instance" },
  },
} as const satisfies Record<string, Page>;
