import { BookOpenText, Box, Clock, CornerDownRight, List } from "lucide-react";
import { pairIn } from "#contract/metadata.ts";
import type { FoundKind, SearchAnswer } from "#contract/search.ts";
import { hasWords, searchWords } from "#contract/search-words.ts";
import type { RecentPlace } from "@/lib/browser/recent-places";
import { guideHref } from "@/lib/guides/guide-href";
import { guideTitles } from "@/lib/guides/titles";
import { goToId } from "@/lib/resources";
import type { Destination } from "../navigation.ts";
import { ShellIcon } from "../shell-icon.tsx";
import type { PaletteEntry, PaletteGroup } from "./entry.tsx";
import { foundKinds, wholeList } from "./found-kinds.ts";
import { byLastUse, recentEntries } from "./recent.ts";

interface Offered {
  text: string;
  destinations: readonly Destination[];
  places: readonly RecentPlace[];
  /** The open page. */
  here: string;
  found: SearchAnswer | undefined;
}

const iconSize = 15;

/**
 * Everything the palette offers, in groups: recent places before typing, then whatever contains the words.
 */
export function paletteGroups({ text, destinations, places, here, found }: Offered): PaletteGroup[] {
  const words = searchWords(text);
  const pages = [
    ...destinations,
    { label: "Notices", href: "/notices", icon: null },
    { label: "Check a file", href: "/library/check-a-file", icon: null },
    { label: "Your profile", href: "/settings/profile", icon: null },
  ];
  const groups: PaletteGroup[] = [
    {
      heading: "Pages",
      entries: byLastUse(pages, places)
        .filter(({ label }) => hasWords(label, words))
        .map(({ label, href, icon }) => ({
          href,
          label,
          icon: icon ? <ShellIcon name={icon} size={iconSize} /> : <Box size={iconSize} aria-hidden />,
        })),
    },
  ];
  if (words.length === 0) groups.unshift(recentGroup(places, destinations, here));
  const guides = guideTitles
    .filter(({ title, summary }) => hasWords(`${title} guide ${summary}`, words))
    .map(({ slug, title, summary }) => ({
      href: guideHref(slug),
      label: title,
      about: summary,
      icon: <BookOpenText size={iconSize} aria-hidden />,
    }));
  return [
    ...goToGroup(text),
    ...groups,
    ...foundGroups(found, text),
    { heading: "Guides", entries: guides },
  ].filter(({ entries }) => entries.length > 0);
}

function goToGroup(text: string): PaletteGroup[] {
  const pair = pairIn(text);
  if (pair) return [{ heading: "Go to", entries: listsWithPair(pair) }];
  const named = goToId(text);
  if (!named) return [];
  const label = (
    <>
      {named.label} <code className="text-muted">{named.id}</code>
    </>
  );
  const icon = <CornerDownRight size={iconSize} aria-hidden />;
  return [{ heading: "Go to", entries: [{ href: named.href, label, icon }] }];
}

/** The lists of what has this pair in its metadata. */
function listsWithPair(pair: string): PaletteEntry[] {
  const lists = [
    { heading: foundKinds.prediction.heading, path: "/predictions" },
    { heading: foundKinds.delivery.heading, path: "/webhooks/deliveries" },
  ];
  return lists.map(({ heading, path }) => ({
    href: `${path}?metadata=${encodeURIComponent(pair)}`,
    label: (
      <>
        {heading} with <code>{pair}</code>
      </>
    ),
    icon: <CornerDownRight size={iconSize} aria-hidden />,
  }));
}

function recentGroup(
  places: readonly RecentPlace[],
  destinations: readonly Destination[],
  here: string,
): PaletteGroup {
  return {
    heading: "Recently opened",
    entries: recentEntries(places, destinations, here).map((thing) => ({
      ...thing,
      icon: <Clock size={iconSize} aria-hidden />,
    })),
  };
}

function foundGroups(found: SearchAnswer | undefined, text: string): PaletteGroup[] {
  return (found?.groups ?? []).map(({ kind, data, has_more: hasMore }) => {
    const { heading, icon: Icon, hrefOf } = foundKinds[kind];
    const list = hasMore && pairIn(text) === null ? wholeList[kind] : undefined;
    const all = list && `${list}?search=${encodeURIComponent(text.trim())}`;
    return {
      heading,
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
                label: `All ${heading.toLowerCase()} with these words`,
                icon: <List size={iconSize} aria-hidden />,
              },
            ]
          : []),
      ],
    };
  });
}

/**
 * Whether it may be listed among recent places: it has its own page, and its name is neither the type of an event nor a
 * prompt, which the browser must not store.
 */
function hasPage(kind: FoundKind, id: string): boolean {
  return kind !== "prediction" && kind !== "delivery" && foundKinds[kind].hrefOf(id).endsWith(`/${id}`);
}
