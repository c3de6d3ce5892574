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
import type { PageTitle } from "@/lib/resource-pages";
import { goToId } from "@/lib/resources";
import type { Words } from "@/messages/words";
import type { Destination } from "./navigation.ts";
import { actionRankOf, byLastUse, describeUses, matching, rankOf, recentEntries } from "./palette.ts";
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

export type OfferedAction = Pick<PaletteAction, "href"> &
  Pick<PaletteEntry, "run"> & { label: string; words: string };

interface Offered {
  t: Words<"palette">;
  titles: Words<"pages">;
  ofGuides: Words<"guides">;
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
  t,
  titles,
  ofGuides,
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
      t("actions"),
      words.length === 0 ? actions.slice(0, firstActions) : actions,
      ({ label, words: others }) => actionRankOf(label, words, others),
      ({ words: _, ...action }) => ({
        id: action.label,
        ...action,
        icon: <Zap size={iconSize} aria-hidden />,
      }),
    ),
    group(
      t("pages"),
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
    ...foundGroups(t, titles, found, text, words),
    group(
      t("guides"),
      words.length === 0 ? [] : guideTitles,
      ({ slug, title }) => {
        const name = ofGuides(title);
        const others = `guide ${slug.replaceAll("-", " ")}`;
        const about = ofGuides(`${title}About`);
        return rankOf(name, words, others) ?? (hasWords(`${name} ${others} ${about}`, words) ? 6 : null);
      },
      ({ slug, title }) => ({
        href: guideHref(slug),
        label: ofGuides(title),
        about: ofGuides(`${title}About`),
        icon: <BookOpenText size={iconSize} aria-hidden />,
      }),
    ),
  ].sort((a, b) => a.rank - b.rank);
  return [
    ...goToGroup(t, text),
    ...(words.length === 0 ? [recentGroup(t, places, destinations, here)] : []),
    ...groups,
  ].filter(({ entries }) => entries.length > 0);
}

function goToGroup(t: Words<"palette">, text: string): PaletteGroup[] {
  const pair = pairIn(text);
  const named = pair ? { what: null, id: pair, href: metadataHref(pair) } : goToId(text);
  if (!named) return [];
  const { what, id: shown } = named;
  const id = () => (
    <code key="id" className="text-muted">
      {shown}
    </code>
  );
  const label = what === null ? t.rich("everythingWith", {}, { id }) : t.rich("openId", { what }, { id });
  const icon = <CornerDownRight size={iconSize} aria-hidden />;
  return [{ heading: t("goTo"), entries: [{ href: named.href, label, icon }], rank: 0 }];
}

interface FoundKindLook {
  /** Their page's title, or a message of `palette`. */
  heading: PageTitle | "members";
  /** The results in a sentence, if not in the words of the heading: a message of `palette`. */
  plural?: "comparisons" | "metadataValues";
  icon: LucideIcon;
  /** The page of the result, or the list that contains it. */
  hrefOf: (id: string) => string;
}

/** How the palette shows each kind of result, and the page that it opens. */
const foundKinds: Record<FoundKind, FoundKindLook> = {
  endpoint: { heading: "endpoints", icon: Webhook, hrefOf: (id) => `/webhooks/endpoints/${id}` },
  preset: { heading: "presets", icon: Bookmark, hrefOf: (id) => `/presets/${id}` },
  conversation: {
    heading: "conversations",
    icon: MessagesSquare,
    hrefOf: (id) => `/conversations/${id}`,
  },
  batch: { heading: "batches", icon: ListChecks, hrefOf: (id) => `/batches/${id}` },
  comparison: {
    heading: "compare",
    plural: "comparisons",
    icon: Columns2,
    hrefOf: (id) => `/compare/${id}`,
  },
  key: { heading: "keys", icon: KeyRound, hrefOf: (id) => `/keys?search=${id}` },
  member: { heading: "members", icon: UserRound, hrefOf: (id) => `/settings/team?search=${id}` },
  alias: { heading: "aliases", icon: Signpost, hrefOf: (id) => `/aliases?search=${id}` },
  destination: { heading: "destinations", icon: FolderOutput, hrefOf: (id) => `/destinations/${id}` },
  upload: { heading: "uploads", icon: Upload, hrefOf: (id) => `/uploads?search=${id}` },
  model: { heading: "models", icon: Box, hrefOf: (id) => `/catalog/${id}` },
  provider: { heading: "providers", icon: PlugZap, hrefOf: (id) => `/operator/providers/${id}` },
  metadata: {
    heading: "metadata",
    plural: "metadataValues",
    icon: Tags,
    hrefOf: metadataHref,
  },
  prediction: { heading: "predictions", icon: Clapperboard, hrefOf: (id) => `/predictions/${id}` },
  delivery: { heading: "deliveries", icon: Send, hrefOf: (id) => `/webhooks/deliveries/${id}` },
};

export function pluralOf(t: Words<"palette">, titles: Words<"pages">, kind: FoundKind): string {
  const { plural } = foundKinds[kind];
  return plural ? t(plural) : headingOf(t, titles, kind).toLowerCase();
}

function headingOf(t: Words<"palette">, titles: Words<"pages">, kind: FoundKind): string {
  const { heading } = foundKinds[kind];
  return heading === "members" ? t(heading) : titles.text(heading);
}

function recentGroup(
  t: Words<"palette">,
  places: readonly RecentPlace[],
  destinations: readonly Destination[],
  here: string,
): PaletteGroup {
  return {
    heading: t("recent"),
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
  t: Words<"palette">,
  titles: Words<"pages">,
  found: SearchAnswer | undefined,
  text: string,
  words: readonly string[],
): PaletteGroup[] {
  return (found?.groups ?? []).map(({ kind, data, has_more: hasMore }) => {
    const { icon: Icon, hrefOf } = foundKinds[kind];
    const list = hasMore && pairIn(text) === null ? wholeList[kind] : undefined;
    const all = list && `${list}?search=${encodeURIComponent(text.trim())}`;
    // The gateway finds more than `rankOf`, such as words of a prompt: its results come after the beginnings of words.
    const ranks = data.map(({ name, about }) => rankOf(name, words, about ?? "") ?? foundRank);
    return {
      heading: headingOf(t, titles, kind),
      rank: Math.min(...ranks),
      entries: [
        ...data.map((each) => ({
          id: each.id,
          href: hrefOf(each.id),
          label: each.name,
          about: kind === "metadata" && each.about ? describeUses(t, each.about) : each.about,
          icon: <Icon size={iconSize} aria-hidden />,
          last: each,
          ...(hasPage(kind, each.id) && { remembered: each.name }),
        })),
        ...(all
          ? [
              {
                href: all,
                label: t("allWithWords", { what: pluralOf(t, titles, kind) }),
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
