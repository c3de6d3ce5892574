"use client";

import { Command } from "cmdk";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { isSame } from "#contract/input-schema/json-values.ts";
import type { FoundKind } from "#contract/search.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { usePageRouter, usePlace } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { copyText } from "@/lib/browser/copy-text";
import { recentPlaces, rememberPlace } from "@/lib/browser/recent-places";
import { askedParam, inAccount } from "@/lib/paths";
import type { SessionView } from "@/lib/person";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";
import type { OwnAccount } from "./account-switcher.tsx";
import { useDestinations } from "./navigation.ts";
import { describeLast } from "./palette.ts";
import { actionWordsOf, type PaletteAction, paletteActions } from "./palette-actions.ts";
import {
  type OfferedAction,
  type PaletteEntry,
  type PaletteGroup,
  paletteGroups,
  pluralOf,
} from "./palette-groups.tsx";
import { usePreferences } from "./preferences.tsx";
import { keepTypedAhead } from "./typed-ahead.ts";
import { useFound } from "./use-found.ts";
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
  const t = useWords("shell");
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("searchOrGoTo")} hideHeader>
      <Palette {...rest} close={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface PaletteProps extends Omit<CommandPaletteProps, "open" | "onOpenChange"> {
  close: () => void;
}

function Palette({ close, ...props }: PaletteProps) {
  const t = useWords("palette");
  const shell = useWords("shell");
  const ui = useWords("ui");
  const titles = useWords("pages");
  const ofGuides = useWords("guides");
  const { session } = props;
  const router = usePageRouter();
  const { path } = usePlace();
  const destinations = useDestinations();
  const [text, setText] = useState("");
  const [places] = useState(() => recentPlaces(session.person, session.accountId));
  const { found, isSearching, failure, again } = useFound(text, true);
  const actions = useActions(props);
  const groups = paletteGroups({
    t,
    titles,
    ofGuides,
    text,
    destinations,
    actions,
    places,
    here: path,
    found,
  });
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
      label={shell("searchOrGoTo")}
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
          placeholder={t("placeholder")}
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
          <span role="alert">{t("notSearched", { why: failure.message })}</span>
          <Button size="sm" onClick={again}>
            {ui("tryAgain")}
          </Button>
        </div>
      )}
      <p role="status" className="px-4 py-2 text-meta text-muted empty:hidden">
        {announcement(t, titles, text, values.length, isSearching, failure !== null, found?.partial ?? [])}
      </p>
    </Command>
  );
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
  const lastEvent = describeLast(useWords("palette"), last);
  if (lastEvent === null) return null;
  return (
    <span className={`shrink-0 text-meta ${isBad(last.state) ? "text-bad" : "text-muted"}`}>
      {lastEvent} {last.at && <Time value={last.at} />}
    </span>
  );
}

/** States that need attention. */
function isBad(state: string | null): boolean {
  return (
    state !== null &&
    ["failing", "failed", "dead-letter", "auto-disabled", "unusable", "rejected"].includes(state)
  );
}

/** The actions that this visitor may do here. */
function useActions({ session, accounts, signOut, openShortcuts }: Omit<PaletteProps, "close">) {
  const t = useWords("palette");
  const { may, operator } = useAccess();
  const { preferences, change } = usePreferences();
  const { toast } = useToast();
  const { leave } = useSignOut(signOut);
  const shell = {
    shortcuts: openShortcuts,
    "sign-out": leave,
    "copy-address": () => void copyText(location.href).then(() => toast({ title: t("addressCopied") })),
  };
  const isAllowed = (only: PaletteAction["only"]) =>
    !only || (only === "operator" ? operator : only === "person" ? session.kind === "user" : may(only));
  return [
    ...paletteActions
      .filter(({ only, set }) => isAllowed(only) && !(set && isSame({ ...preferences, ...set }, preferences)))
      .map(({ set, shell: does, label, words, href }): OfferedAction => {
        const action = {
          label: t.text(label),
          words: actionWordsOf({ label, words }),
          ...(href && { href }),
        };
        if (set) return { ...action, run: () => change(set) };
        return does ? { ...action, run: shell[does] } : action;
      }),
    ...accounts
      .filter(({ id }) => id !== session.accountId)
      .map(({ id, name }) => ({
        label: t("switchAccount", { name }),
        words: "change open other",
        // Loads the whole page, so that no data of one account stays in the page of another.
        run: () => window.location.assign(inAccount(id, "/")),
      })),
  ];
}

/** Announced by screen readers after typing pauses. */
function announcement(
  t: Words<"palette">,
  titles: Words<"pages">,
  text: string,
  count: number,
  isSearching: boolean,
  failed: boolean,
  partial: readonly FoundKind[],
): string {
  if (text.trim() === "") return "";
  if (isSearching) return t("searching");
  const what = listText(
    t.language,
    partial.map((kind) => pluralOf(t, titles, kind)),
    "plain",
  );
  return [
    count === 0 && !failed ? t("nothingMatches") : t("results", { count }),
    ...(what === "" ? [] : [t("tookTooLong", { what })]),
  ].join(" ");
}
