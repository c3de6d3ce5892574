import type { IdKind, IdPrefix, Permission } from "#contract/resources.ts";
import type { RailSection } from "./preferences.ts";

/** A page of the navigation rail, which the command palette lists too. */
export interface RailPage {
  /** The page's title, which is also its label in the rail. */
  label: string;
  /** Ends with the label. */
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
  /** The label of the link from an id, if the link does not open the page of the resource. */
  open?: string;
  /** The part of the address before the id, if it differs from the list's address. */
  path?: string;
}

/** The console's pages of each resource and its other pages, in the order of the rail. Every page loads this. */
export const pages = {
  home: {
    rail: { label: "Home", href: "/", icon: "house", group: "home", permission: "predictions:read" },
  },
  catalog: {
    rail: {
      label: "Catalog",
      href: "/catalog",
      icon: "layout-grid",
      group: "build",
      permission: "predictions:read",
    },
  },
  compare: {
    rail: {
      label: "Compare",
      href: "/compare",
      icon: "columns-2",
      group: "build",
      permission: "operations:run",
    },
  },
  preset: {
    prefix: "pst",
    rail: { label: "Presets", href: "/presets", icon: "sliders", group: "build", permission: "presets:read" },
  },
  conversation: {
    prefix: "conv",
    rail: {
      label: "Conversations",
      href: "/conversations",
      icon: "messages",
      group: "build",
      permission: "conversations:read",
    },
  },
  prediction: {
    prefix: "pred",
    rail: {
      label: "Predictions",
      href: "/predictions",
      icon: "clapperboard",
      group: "results",
      permission: "predictions:read",
    },
  },
  batch: {
    prefix: "batch",
    rail: {
      label: "Batches",
      href: "/batches",
      icon: "list-checks",
      group: "results",
      permission: "predictions:read",
    },
  },
  output: {
    rail: {
      label: "Library",
      href: "/library",
      icon: "bookmark",
      group: "results",
      permission: "predictions:read",
      keepsOutputs: true,
    },
  },
  upload: {
    rail: {
      label: "Uploads",
      href: "/uploads",
      icon: "upload",
      group: "results",
      permission: "uploads:read",
    },
  },
  destination: {
    prefix: "dst",
    rail: {
      label: "Destinations",
      href: "/destinations",
      icon: "folder-output",
      group: "results",
      permission: "copies:read",
    },
  },
  key: {
    rail: { label: "Keys", href: "/keys", icon: "key-round", group: "developers", permission: "keys:own" },
  },
  endpoint: {
    prefix: "we",
    rail: {
      label: "Endpoints",
      href: "/webhooks/endpoints",
      icon: "webhook",
      group: "developers",
      permission: "endpoints:read",
    },
  },
  delivery: {
    prefix: "dlv",
    rail: {
      label: "Deliveries",
      href: "/webhooks/deliveries",
      icon: "send",
      group: "developers",
      permission: "deliveries:read",
    },
  },
  event: {
    prefix: "evt",
    open: "Deliveries of event",
    path: "/webhooks/deliveries?event_id=",
  },
  request: {
    prefix: "req",
    rail: {
      label: "Requests",
      href: "/requests",
      icon: "arrow-left-right",
      group: "developers",
      permission: "requests:read",
    },
  },
  activity: {
    rail: {
      label: "Activity",
      href: "/activity",
      icon: "activity",
      group: "developers",
      permission: "requests:read",
    },
  },
  connection: {
    rail: {
      label: "Connections",
      href: "/settings/connections",
      icon: "cable",
      group: "developers",
      permission: "connections:own",
    },
  },
  alias: {
    rail: {
      label: "Aliases",
      href: "/aliases",
      icon: "signpost",
      group: "developers",
      permission: "aliases:read",
    },
  },
  usage: {
    rail: { label: "Usage", href: "/usage", icon: "chart-column", group: "account", permission: "usage:own" },
  },
  member: {
    rail: {
      label: "Team",
      href: "/settings/team",
      icon: "users",
      group: "account",
      permission: "members:read",
    },
  },
  attestation: {
    rail: {
      label: "Attestations",
      href: "/attestations",
      icon: "shield-check",
      group: "account",
      permission: "attestations:read",
    },
  },
  notice: {
    rail: {
      label: "Notifications",
      href: "/settings/notifications",
      icon: "bell",
      group: "account",
      permission: "notices:read",
    },
  },
  audit: {
    rail: {
      label: "Audit log",
      href: "/audit-log",
      icon: "scroll-text",
      group: "account",
      permission: "audit:read",
    },
  },
  settings: {
    rail: { label: "Settings", href: "/settings", icon: "settings", group: "account" },
  },
  guides: {
    rail: { label: "Guides", href: "/guides", icon: "book-open-text", group: "help" },
  },
  apiReference: {
    rail: { label: "API reference", href: "/api-reference", icon: "book-open", group: "help" },
  },
  statusAndRegions: {
    rail: { label: "Status and regions", href: "/status-and-regions", icon: "signal", group: "help" },
  },
  firstSteps: {
    rail: { label: "First steps", href: "/operator/first-steps", icon: "flag", group: "instance" },
  },
  providers: {
    rail: { label: "Providers", href: "/operator/providers", icon: "plug-zap", group: "instance" },
  },
  mapping: {
    rail: { label: "Mapping", href: "/operator/mapping", icon: "waypoints", group: "instance" },
  },
  models: {
    rail: { label: "Models", href: "/operator/models", icon: "boxes", group: "instance" },
  },
  prices: {
    rail: { label: "Prices", href: "/operator/prices", icon: "tag", group: "instance" },
  },
  allUsage: {
    rail: { label: "All usage", href: "/operator/all-usage", icon: "chart-column", group: "instance" },
  },
  health: {
    rail: { label: "Health", href: "/operator/health", icon: "heart-pulse", group: "instance" },
  },
  accounts: {
    rail: { label: "Accounts", href: "/operator/accounts", icon: "users", group: "instance" },
  },
  reports: {
    rail: { label: "Reports", href: "/operator/reports", icon: "triangle-alert", group: "instance" },
  },
  changes: {
    rail: { label: "Changes", href: "/operator/changes", icon: "scroll-text", group: "instance" },
  },
  signing: {
    rail: { label: "Signing", href: "/operator/signing", icon: "shield-check", group: "instance" },
  },
  mail: {
    rail: { label: "Mail", href: "/operator/mail", icon: "send", group: "instance" },
  },
} as const satisfies Record<string, Page>;
