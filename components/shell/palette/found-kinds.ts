import {
  Bookmark,
  Box,
  Clapperboard,
  FolderOutput,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  PlugZap,
  Send,
  Signpost,
  Upload,
  UserRound,
  Webhook,
} from "lucide-react";
import type { Found, FoundKind } from "#contract/search.ts";

interface FoundKindLook {
  heading: string;
  icon: LucideIcon;
  /** Its page, or the list that contains it. */
  hrefOf: (id: string) => string;
}

/** How the palette shows each kind of result, and the page it opens. */
export const foundKinds: Record<FoundKind, FoundKindLook> = {
  endpoint: { heading: "Endpoints", icon: Webhook, hrefOf: (id) => `/webhooks/endpoints/${id}` },
  preset: { heading: "Presets", icon: Bookmark, hrefOf: (id) => `/presets/${id}` },
  conversation: {
    heading: "Conversations",
    icon: MessagesSquare,
    hrefOf: (id) => `/conversations/${id}`,
  },
  batch: { heading: "Batches", icon: ListChecks, hrefOf: (id) => `/batches/${id}` },
  key: { heading: "Keys", icon: KeyRound, hrefOf: (id) => `/keys?search=${id}` },
  member: { heading: "Members", icon: UserRound, hrefOf: (id) => `/settings/team?search=${id}` },
  alias: { heading: "Aliases", icon: Signpost, hrefOf: (id) => `/aliases?search=${id}` },
  destination: { heading: "Destinations", icon: FolderOutput, hrefOf: (id) => `/destinations/${id}` },
  upload: { heading: "Uploads", icon: Upload, hrefOf: (id) => `/uploads?search=${id}` },
  model: { heading: "Models", icon: Box, hrefOf: (id) => `/catalog/${id}` },
  provider: { heading: "Providers", icon: PlugZap, hrefOf: (id) => `/operator/providers/${id}` },
  prediction: { heading: "Predictions", icon: Clapperboard, hrefOf: (id) => `/predictions/${id}` },
  delivery: { heading: "Deliveries", icon: Send, hrefOf: (id) => `/webhooks/deliveries/${id}` },
};

/** Lists that show all results of a group. */
export const wholeList: Partial<Record<FoundKind, string>> = {
  endpoint: "/webhooks/endpoints",
  batch: "/batches",
  key: "/keys",
  member: "/settings/team",
  alias: "/aliases",
  upload: "/uploads",
  prediction: "/predictions",
};

/** The last event, shown before its time; null if there was none. */
export function describeLast({ kind, state, at }: Pick<Found, "kind" | "state" | "at">): string | null {
  if (state === null) return null;
  if (state === "dead-letter") return "dead letter";
  if (state === "auto-disabled") return "disabled after failures";
  if (kind === "member") return at === null ? state : `${state}, seen`;
  return state;
}

/** States that need attention. */
export function isBad(state: string | null): boolean {
  return (
    state !== null &&
    ["failing", "failed", "dead-letter", "auto-disabled", "unusable", "rejected"].includes(state)
  );
}
