import {
  Bookmark,
  BookOpenText,
  Box,
  Clapperboard,
  Clock,
  Columns2,
  CornerDownRight,
  FolderOutput,
  KeyRound,
  List,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  PlugZap,
  Send,
  Signpost,
  Tags,
  Upload,
  UserRound,
  Webhook,
  Zap,
} from "lucide-react";
import type { ReactNode } from "react";
import { pairIn } from "#contract/metadata.ts";
import type { Found, FoundKind, SearchAnswer } from "#contract/search.ts";
import { hasWords, searchWords } from "#contract/search-words.ts";
import type { RecentPlace } from "@/lib/browser/recent-places";
import { guideTitles } from "@/lib/guides/guide";
import { guideHref } from "@/lib/guides/guide-href";
import { metadataHref } from "@/lib/metadata-href";
import { goToId } from "@/lib/resources";
import type { Words } from "@/messages/words";
import type { Destination } from "./navigation.ts";
import { actionRankOf, byLastUse, matching, rankOf, recentEntries } from "./palette.ts";
import { type PaletteAction, pageWordsOf } from "./palette-actions.ts";
import { ShellIcon } from "./shell-icon.tsx";

/** Something that the palette can open or do. */
export interface PaletteEntry {
  /** Needed if the entry has no address, or several have the same. Otherwise the address identifies the entry. */
  id?: string;
  href?: string;
  /** What the entry does instead of opening an address. */
  run?: () => void;
  icon: ReactNode;
  label: ReactNode;
  about?: string | null;
  /** The kind and state of the entry's last event, and when it happened. */
  last?: Pick<Found, "kind" | "state" | "at">;
  /**
   * The name of the entry in the list of recently opened places. If missing, the entry is not stored there.
   */
  remembered?: string;
}

export interface PaletteGroup {
  heading: string;
  entries: PaletteEntry[];
  /** How well its best entry matches: see `rankOf`. */
  rank: number;
}

export type OfferedAction = Pick<PaletteAction, "label" | "words" | "href"> & Pick<PaletteEntry, "run">;

interface Offered {
  titles: Words<"pages">;
  text: string;
  destinations: readonly Destination[];
  actions: readonly OfferedAction[];
  places: readonly RecentPlace[];
  /** The open page. */
  here: string;
  found: SearchAnswer | undefined;
}

const iconSize = 15;

/** Actions that are offered before something is typed. */
const firstActions = 8;

/**
 * Everything that the palette offers, in groups: recent places, actions and pages before typing, then all
 * entries that contain the words, in the order in which they match.
 */
export function paletteGroups({
  titles,
  text,
  destinations,
  actions,
  places,
  here,
  found,
}: Offered): PaletteGroup[] {
  const words = searchWords(text);
  const group = <Item,>(
    heading: string,
    items: readonly Item[],
    rank: (item: Item) => number | null,
    entryOf: (item: Item) => PaletteEntry,
  ): PaletteGroup => {
    const matches = matching(items, words, rank);
    return { heading, entries: matches.map(({ item }) => entryOf(item)), rank: matches[0]?.rank ?? 0 };
  };
  const groups = [
    group(
      "Actions",
      words.length === 0 ? actions.slice(0, firstActions) : actions,
      ({ label, words: others }) => actionRankOf(label, words, others),
      ({ words: _, ...action }) => ({
        id: action.label,
        ...action,
        icon: <Zap size={iconSize} aria-hidden />,
      }),
    ),
    group(
      "Pages",
      byLastUse(
        [
          ...destinations,
          { title: "notices", href: "/notices", icon: null } as const,
          { title: "checkFile", href: "/library/check-a-file", icon: null } as const,
          { title: "profile", href: "/settings/profile", icon: null } as const,
        ],
        places,
      ),
      ({ title, href }) => rankOf(titles.text(title), words, pageWordsOf(href)),
      ({ title, href, icon }) => ({
        href,
        label: titles.text(title),
        icon: icon ? <ShellIcon name={icon} size={iconSize} /> : <Box size={iconSize} aria-hidden />,
      }),
    ),
    ...foundGroups(found, text, words),
    group(
      "Guides",
      words.length === 0 ? [] : guideTitles,
      ({ title, summary }) =>
        rankOf(title, words, "guide") ?? (hasWords(`${title} guide ${summary}`, words) ? 6 : null),
      ({ slug, title, summary }) => ({
        href: guideHref(slug),
        label: title,
        about: summary,
        icon: <BookOpenText size={iconSize} aria-hidden />,
      }),
    ),
  ].sort((a, b) => a.rank - b.rank);
  return [
    ...goToGroup(text),
    ...(words.length === 0 ? [recentGroup(places, destinations, here)] : []),
    ...groups,
  ].filter(({ entries }) => entries.length > 0);
}

function goToGroup(text: string): PaletteGroup[] {
  const pair = pairIn(text);
  const named = pair ? { label: "Everything with", id: pair, href: metadataHref(pair) } : goToId(text);
  if (!named) return [];
  const label = (
    <>
      {named.label} <code className="text-muted">{named.id}</code>
    </>
  );
  const icon = <CornerDownRight size={iconSize} aria-hidden />;
  return [{ heading: "Go to", entries: [{ href: named.href, label, icon }], rank: 0 }];
}

interface FoundKindLook {
  heading: string;
  /** The results in a sentence, if not in the words of the heading. */
  plural?: string;
  icon: LucideIcon;
  /** The page of the result, or the list that contains it. */
  hrefOf: (id: string) => string;
}

/** How the palette shows each kind of result, and the page that it opens. */
const foundKinds: Record<FoundKind, FoundKindLook> = {
  endpoint: { heading: "Endpoints", icon: Webhook, hrefOf: (id) => `/webhooks/endpoints/${id}` },
  preset: { heading: "Presets", icon: Bookmark, hrefOf: (id) => `/presets/${id}` },
  conversation: {
    heading: "Conversations",
    icon: MessagesSquare,
    hrefOf: (id) => `/conversations/${id}`,
  },
  batch: { heading: "Batches", icon: ListChecks, hrefOf: (id) => `/batches/${id}` },
  comparison: {
    heading: "Compare",
    plural: "comparisons",
    icon: Columns2,
    hrefOf: (id) => `/compare/${id}`,
  },
  key: { heading: "Keys", icon: KeyRound, hrefOf: (id) => `/keys?search=${id}` },
  member: { heading: "Members", icon: UserRound, hrefOf: (id) => `/settings/team?search=${id}` },
  alias: { heading: "Aliases", icon: Signpost, hrefOf: (id) => `/aliases?search=${id}` },
  destination: { heading: "Destinations", icon: FolderOutput, hrefOf: (id) => `/destinations/${id}` },
  upload: { heading: "Uploads", icon: Upload, hrefOf: (id) => `/uploads?search=${id}` },
  model: { heading: "Models", icon: Box, hrefOf: (id) => `/catalog/${id}` },
  provider: { heading: "Providers", icon: PlugZap, hrefOf: (id) => `/operator/providers/${id}` },
  metadata: {
    heading: "Metadata",
    plural: "values of metadata",
    icon: Tags,
    hrefOf: metadataHref,
  },
  prediction: { heading: "Predictions", icon: Clapperboard, hrefOf: (id) => `/predictions/${id}` },
  delivery: { heading: "Deliveries", icon: Send, hrefOf: (id) => `/webhooks/deliveries/${id}` },
};

export function pluralOf(kind: FoundKind): string {
  const { heading, plural = heading.toLowerCase() } = foundKinds[kind];
  return plural;
}

function recentGroup(
  places: readonly RecentPlace[],
  destinations: readonly Destination[],
  here: string,
): PaletteGroup {
  return {
    heading: "Recently opened",
    rank: 0,
    entries: recentEntries(places, destinations, here).map((thing) => ({
      ...thing,
      icon: <Clock size={iconSize} aria-hidden />,
    })),
  };
}

const foundRank = 4.5;

/** Lists that show all results of a group. */
const wholeList: Partial<Record<FoundKind, string>> = {
  endpoint: "/webhooks/endpoints",
  batch: "/batches",
  comparison: "/compare/earlier",
  key: "/keys",
  member: "/settings/team",
  alias: "/aliases",
  upload: "/uploads",
  prediction: "/predictions",
};

function foundGroups(
  found: SearchAnswer | undefined,
  text: string,
  words: readonly string[],
): PaletteGroup[] {
  return (found?.groups ?? []).map(({ kind, data, has_more: hasMore }) => {
    const { heading, icon: Icon, hrefOf } = foundKinds[kind];
    const list = hasMore && pairIn(text) === null ? wholeList[kind] : undefined;
    const all = list && `${list}?search=${encodeURIComponent(text.trim())}`;
    // The gateway finds more than `rankOf`, such as words of a prompt: its results come after the beginnings of words.
    const ranks = data.map(({ name, about }) => rankOf(name, words, about ?? "") ?? foundRank);
    return {
      heading,
      rank: Math.min(...ranks),
      entries: [
        ...data.map((each) => ({
          id: each.id,
          href: hrefOf(each.id),
          label: each.name,
          about: each.about,
          icon: <Icon size={iconSize} aria-hidden />,
          last: each,
          ...(hasPage(kind, each.id) && { remembered: each.name }),
        })),
        ...(all
          ? [
              {
                href: all,
                label: `All ${pluralOf(kind)} with these words`,
                icon: <List size={iconSize} aria-hidden />,
              },
            ]
          : []),
      ],
    };
  });
}

/**
 * Whether the entry may be listed among recent places: it has its own page, and its name is neither the type
 * of an event nor a prompt, which the browser must not store.
 */
function hasPage(kind: FoundKind, id: string): boolean {
  return kind !== "prediction" && kind !== "delivery" && foundKinds[kind].hrefOf(id).endsWith(`/${id}`);
}
