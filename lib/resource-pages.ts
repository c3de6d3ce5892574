import type { IdKind, IdPrefix, Permission, ResourceName } from "#contract/resources.ts";

/** The page of a list, as the navigation rail, the command palette and the shortcuts need it. */
export interface RailPage {
  /** The page's title, which is also its label in the rail. */
  label: string;
  /** Ends with the label. */
  href: string;
  /** A drawing of `components/shell/shell-icon.tsx`. */
  icon: string;
  /** The key to press after G. A digit if all fitting letters are in use. */
  letter: string;
  group: "build" | "results" | "developers" | "account";
  /** The position of the page in the rail. */
  place: number;
  permission: Permission;
  /** True if the page is shown only when this gateway can keep outputs. */
  keepsOutputs?: true;
}

interface Page<Name extends ResourceName> {
  rail?: RailPage;
  /** The prefix of the resource's ids, if each resource has a page. */
  prefix?: Name extends IdKind ? IdPrefix<Name> : never;
  /** The label of the link from an id, if the link does not open the page of the resource. */
  open?: string;
  /** The part of the address before the id, if it differs from the list's address. */
  path?: string;
}

/**
 * The console's pages of each resource. Every page loads this. Other pages of the rail are in
 * `components/shell/navigation.ts`.
 */
export const pages = {
  preset: {
    prefix: "pst",
    rail: {
      label: "Presets",
      href: "/presets",
      icon: "sliders",
      letter: "8",
      group: "build",
      place: 30,
      permission: "presets:read",
    },
  },
  conversation: {
    prefix: "conv",
    rail: {
      label: "Conversations",
      href: "/conversations",
      icon: "messages",
      letter: "9",
      group: "build",
      place: 40,
      permission: "conversations:read",
    },
  },
  prediction: {
    prefix: "pred",
    rail: {
      label: "Predictions",
      href: "/predictions",
      icon: "clapperboard",
      letter: "p",
      group: "results",
      place: 50,
      permission: "predictions:read",
    },
  },
  batch: {
    prefix: "batch",
    rail: {
      label: "Batches",
      href: "/batches",
      icon: "list-checks",
      letter: "b",
      group: "results",
      place: 60,
      permission: "predictions:read",
    },
  },
  output: {
    rail: {
      label: "Library",
      href: "/library",
      icon: "bookmark",
      letter: "4",
      group: "results",
      place: 70,
      permission: "predictions:read",
      keepsOutputs: true,
    },
  },
  upload: {
    rail: {
      label: "Uploads",
      href: "/uploads",
      icon: "upload",
      letter: "u",
      group: "results",
      place: 80,
      permission: "uploads:read",
    },
  },
  destination: {
    prefix: "dst",
    rail: {
      label: "Destinations",
      href: "/destinations",
      icon: "folder-output",
      letter: "6",
      group: "results",
      place: 90,
      permission: "copies:read",
    },
  },
  key: {
    rail: {
      label: "Keys",
      href: "/keys",
      icon: "key-round",
      letter: "k",
      group: "developers",
      place: 100,
      permission: "keys:own",
    },
  },
  endpoint: {
    prefix: "we",
    rail: {
      label: "Endpoints",
      href: "/webhooks/endpoints",
      icon: "webhook",
      letter: "e",
      group: "developers",
      place: 110,
      permission: "endpoints:read",
    },
  },
  delivery: {
    prefix: "dlv",
    rail: {
      label: "Deliveries",
      href: "/webhooks/deliveries",
      icon: "send",
      letter: "d",
      group: "developers",
      place: 120,
      permission: "deliveries:read",
    },
  },
  event: { prefix: "evt", open: "Deliveries of event", path: "/webhooks/deliveries?event_id=" },
  request: {
    prefix: "req",
    rail: {
      label: "Requests",
      href: "/requests",
      icon: "arrow-left-right",
      letter: "r",
      group: "developers",
      place: 130,
      permission: "requests:read",
    },
  },
  connection: {
    rail: {
      label: "Connections",
      href: "/settings/connections",
      icon: "cable",
      letter: "q",
      group: "developers",
      place: 150,
      permission: "connections:own",
    },
  },
  alias: {
    rail: {
      label: "Aliases",
      href: "/aliases",
      icon: "signpost",
      letter: "x",
      group: "developers",
      place: 160,
      permission: "aliases:read",
    },
  },
  usage: {
    rail: {
      label: "Usage",
      href: "/usage",
      icon: "chart-column",
      letter: "s",
      group: "account",
      place: 170,
      permission: "usage:own",
    },
  },
  member: {
    rail: {
      label: "Team",
      href: "/settings/team",
      icon: "users",
      letter: "m",
      group: "account",
      place: 180,
      permission: "members:read",
    },
  },
  attestation: {
    rail: {
      label: "Attestations",
      href: "/attestations",
      icon: "shield-check",
      letter: "t",
      group: "account",
      place: 190,
      permission: "attestations:read",
    },
  },
  notice: {
    rail: {
      label: "Notifications",
      href: "/settings/notifications",
      icon: "bell",
      letter: "3",
      group: "account",
      place: 200,
      permission: "notices:read",
    },
  },
  audit: {
    rail: {
      label: "Audit log",
      href: "/audit-log",
      icon: "scroll-text",
      letter: "a",
      group: "account",
      place: 210,
      permission: "audit:read",
    },
  },
} as const satisfies { [Name in ResourceName]?: Page<Name> };
