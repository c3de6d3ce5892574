"use client";

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
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
  Search,
  Send,
  Signpost,
  Tags,
  Upload,
  UserRound,
  Webhook,
  Zap,
} from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { isSame } from "#contract/input-schema/json-values.ts";
import { pairIn } from "#contract/metadata.ts";
import type { Found, FoundKind, SearchAnswer } from "#contract/search.ts";
import { foundLimit, hasWords, searchLimits, searchWords } from "#contract/search-words.ts";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { usePageRouter, usePlace } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { copyText } from "@/lib/browser/copy-text";
import { failureBehind, fetchRoute, orThrow } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { type RecentPlace, recentPlaces, rememberPlace } from "@/lib/browser/recent-places";
import { guideTitles } from "@/lib/guides/guide";
import { guideHref } from "@/lib/guides/guide-href";
import { metadataHref } from "@/lib/metadata-href";
import { askedParam, inAccount } from "@/lib/paths";
import type { SessionView } from "@/lib/person";
import { queryKeys } from "@/lib/query-keys";
import { goToId } from "@/lib/resources";
import type { OwnAccount } from "./account-switcher.tsx";
import { type Destination, useDestinations } from "./navigation.ts";
import { actionRankOf, byLastUse, matching, narrow, rankOf, recentEntries } from "./palette.ts";
import { type PaletteAction, pageWords, paletteActions } from "./palette-actions.ts";
import { usePreferences } from "./preferences.tsx";
import { ShellIcon } from "./shell-icon.tsx";
import { keepTypedAhead } from "./typed-ahead.ts";
import { useSignOut } from "./use-sign-out.ts";

interface CommandPaletteProps {
  session: Pick<SessionView, "person" | "accountId" | "kind">;
  /** Empty for people with one account. */
  accounts: readonly OwnAccount[];
  signOut: () => Promise<void>;
  openShortcuts: () => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Finds pages, actions and resources of the account by names, words and ids, from the keyboard. */
export function CommandPalette({ open, onOpenChange, ...rest }: CommandPaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Search or go to" hideHeader>
      <Palette {...rest} close={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface PaletteProps extends Omit<CommandPaletteProps, "open" | "onOpenChange"> {
  close: () => void;
}

/** Something that the palette can open or do. */
interface PaletteEntry {
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

function Palette({ close, ...props }: PaletteProps) {
  const { session } = props;
  const router = usePageRouter();
  const { path } = usePlace();
  const destinations = useDestinations();
  const [text, setText] = useState("");
  const [places] = useState(() => recentPlaces(session.person, session.accountId));
  const { found, isSearching, failure, again } = useFound(text, true);
  const actions = useActions(props);
  const groups = paletteGroups({ text, destinations, actions, places, here: path, found });
  const values = groups.flatMap((group) => group.entries.map((entry) => entryValue(group, entry)));
  // Until the reader moves the selection, Enter opens the first result, even if more are inserted above it.
  const [picked, setPicked] = useState<string | null>(null);
  const isMoved = useRef(false);
  const selected = picked !== null && values.includes(picked) ? picked : (values[0] ?? "");

  // In an effect, right after which the dialog focuses the field, so that no keystroke is lost in between.
  useEffect(() => {
    const typed = keepTypedAhead().take();
    if (typed !== "") setText(typed);
  }, []);

  const type = (next: string) => {
    isMoved.current = false;
    setPicked(null);
    setText(next);
  };
  const go = ({ href, run, remembered }: PaletteEntry) => {
    close();
    if (href === undefined) return run?.();
    // A dialog of the open page needs no request.
    if (href.startsWith(`${path}?${askedParam}=`)) {
      const url = new URL(window.location.href);
      url.searchParams.set(askedParam, href.slice(href.indexOf("=") + 1));
      return window.history.replaceState(null, "", url);
    }
    if (remembered) rememberPlace(session.person, session.accountId, href, { name: remembered });
    router.push(href);
  };

  return (
    <Command
      label="Search or go to"
      loop
      shouldFilter={false}
      value={selected}
      onValueChange={(value) => isMoved.current && setPicked(value)}
      onKeyDownCapture={({ key }) => {
        if (key.startsWith("Arrow") || key === "Home" || key === "End") isMoved.current = true;
      }}
      onPointerMoveCapture={() => {
        isMoved.current = true;
      }}
      className="flex max-h-[60vh] flex-col"
    >
      <div className="flex items-center gap-2 border-b px-4">
        <Search size={16} aria-hidden className="text-muted" />
        <Command.Input
          data-autofocus
          value={text}
          onValueChange={type}
          placeholder="A page, something to do, a model, an endpoint, words of a prompt, or an id"
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <Command.List className="min-h-0 overflow-y-auto p-2">
        {groups.map((group) => (
          <EntryGroup key={group.heading} group={group} onSelect={go} />
        ))}
      </Command.List>
      {failure && (
        <div className="flex items-center gap-2 px-2 py-3 text-bad">
          <span role="alert">Only pages and guides could be searched: {failure.message}</span>
          <Button size="sm" onClick={again}>
            Try again
          </Button>
        </div>
      )}
      <p role="status" className="px-4 py-2 text-meta text-muted empty:hidden">
        {announcement(text, values.length, isSearching, failure !== null, found?.partial ?? [])}
      </p>
    </Command>
  );
}

interface PaletteGroup {
  heading: string;
  entries: PaletteEntry[];
  /** How well its best entry matches: see `rankOf`. */
  rank: number;
}

interface EntryGroupProps {
  group: PaletteGroup;
  onSelect: (entry: PaletteEntry) => void;
}

const groupLook =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted";

function EntryGroup({ group, onSelect }: EntryGroupProps) {
  return (
    <Command.Group heading={group.heading} className={groupLook}>
      {group.entries.map((entry) => (
        <Command.Item
          key={entry.id ?? entry.href}
          value={entryValue(group, entry)}
          onSelect={() => onSelect(entry)}
          className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-[6px] px-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-ink"
        >
          <span className="text-muted">{entry.icon}</span>
          <span className="min-w-0 flex-1 truncate">
            {entry.label} {entry.about && <span className="text-muted">{entry.about}</span>}
          </span>
          {entry.last && <Last {...entry.last} />}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

/** A unique key of an entry. */
function entryValue({ heading }: PaletteGroup, { id, href }: PaletteEntry): string {
  return `${heading} ${id ?? href}`;
}

function Last(last: NonNullable<PaletteEntry["last"]>) {
  const lastEvent = describeLast(last);
  if (lastEvent === null) return null;
  return (
    <span className={`shrink-0 text-meta ${isBad(last.state) ? "text-bad" : "text-muted"}`}>
      {lastEvent} {last.at && <Time value={last.at} />}
    </span>
  );
}

/** The text of the last event, shown before its time. Null if there was none. */
function describeLast({ kind, state, at }: Pick<Found, "kind" | "state" | "at">): string | null {
  if (state === null) return null;
  if (state === "dead-letter") return "dead letter";
  if (state === "auto-disabled") return "disabled after failures";
  if (kind === "member") return at === null ? state : `${state}, seen`;
  return state;
}

/** States that need attention. */
function isBad(state: string | null): boolean {
  return (
    state !== null &&
    ["failing", "failed", "dead-letter", "auto-disabled", "unusable", "rejected"].includes(state)
  );
}

type OfferedAction = Pick<PaletteAction, "label" | "words" | "href"> & Pick<PaletteEntry, "run">;

/** The actions that this visitor may do here. */
function useActions({ session, accounts, signOut, openShortcuts }: Omit<PaletteProps, "close">) {
  const { may, operator } = useAccess();
  const { preferences, change } = usePreferences();
  const { toast } = useToast();
  const { leave } = useSignOut(signOut);
  const shell = {
    shortcuts: openShortcuts,
    "sign-out": leave,
    "copy-address": () => void copyText(location.href).then(() => toast({ title: "Address copied" })),
  };
  const isAllowed = (only: PaletteAction["only"]) =>
    !only || (only === "operator" ? operator : only === "person" ? session.kind === "user" : may(only));
  return [
    ...paletteActions
      .filter(({ only, set }) => isAllowed(only) && !(set && isSame({ ...preferences, ...set }, preferences)))
      .map(({ set, shell: does, ...action }): OfferedAction => {
        if (set) return { ...action, run: () => change(set) };
        return does ? { ...action, run: shell[does] } : action;
      }),
    ...accounts
      .filter(({ id }) => id !== session.accountId)
      .map(({ id, name }) => ({
        label: `Switch account to ${name}`,
        words: "change open other",
        // Loads the whole page, so that no data of one account stays in the page of another.
        run: () => window.location.assign(inAccount(id, "/")),
      })),
  ];
}

interface Offered {
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
function paletteGroups({ text, destinations, actions, places, here, found }: Offered): PaletteGroup[] {
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
          { label: "Notices", href: "/notices", icon: null },
          { label: "Check a file", href: "/library/check-a-file", icon: null },
          { label: "Your profile", href: "/settings/profile", icon: null },
        ],
        places,
      ),
      ({ label, href }) => rankOf(label, words, pageWords[href]),
      ({ label, href, icon }) => ({
        href,
        label,
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

function pluralOf(kind: FoundKind): string {
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

/** Delay after the last keystroke before the search. */
const pauseMs = 150;

/**
 * The gateway's results for the text. An answer that arrives after the text has changed is dropped. Until the
 * next answer, earlier results that contain the words stay visible.
 */
function useFound(text: string, enabled: boolean) {
  const wanted = text.trim().slice(0, searchLimits.length);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeys.search(asked),
    queryFn: ({ signal }) => askGateway(asked, signal),
    enabled: enabled && asked !== "" && wanted !== "",
    placeholderData: (previous) => previous,
    retry: false,
  });
  const isEarlier = isPlaceholderData || asked !== wanted;
  return {
    found: wanted === "" ? undefined : data && isEarlier ? narrow(data, wanted) : data,
    isSearching: wanted !== "" && (isFetching || asked !== wanted),
    failure: wanted === "" ? null : failureBehind(error),
    again: () => void refetch(),
  };
}

/** The gateway's results. Without extensions, the models of its catalog. */
async function askGateway(q: string, signal: AbortSignal): Promise<SearchAnswer> {
  const answer = await callRoute("GET /search", { query: { q }, signal });
  if (answer.ok || answer.error.code !== "route_not_found") return orThrow(answer);
  const { data } = await fetchRoute("GET /models", { query: { q, aliases: false }, signal });
  const models = data.slice(0, foundLimit.default).map((model) => ({
    id: model.id,
    kind: "model" as const,
    name: model.display_name ?? model.id,
    about: model.api_types.join(", "),
    state: null,
    at: null,
  }));
  const group = { kind: "model" as const, data: models, has_more: data.length > models.length };
  return { object: "search", groups: models.length > 0 ? [group] : [], partial: [] };
}

/** Announced by screen readers after typing pauses. */
function announcement(
  text: string,
  count: number,
  isSearching: boolean,
  failed: boolean,
  partial: readonly FoundKind[],
): string {
  if (text.trim() === "") return "";
  if (isSearching) return "Searching…";
  const missing = partial.map(pluralOf).join(", ");
  const late = missing === "" ? "" : ` These took too long to search: ${missing}.`;
  if (count === 0 && !failed) return `Nothing matches all of these words.${late}`;
  return `${count === 1 ? "1 result" : `${count} results`}.${late}`;
}
