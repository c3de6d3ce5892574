"use client";

import { Command } from "cmdk";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { usePageRouter, usePlace } from "@/components/ui/page/use-place";
import { recentPlaces, rememberPlace } from "@/lib/browser/recent-places";
import type { SessionView } from "@/lib/session-view";
import { EntryGroup, entryValue, type PaletteEntry } from "./palette/entry.tsx";
import { foundKinds } from "./palette/found-kinds.ts";
import { paletteGroups } from "./palette/groups.tsx";
import { useFound } from "./palette/use-found.ts";
import { useDestinations } from "./use-destinations.ts";

interface CommandPaletteProps {
  session: Pick<SessionView, "person" | "accountId">;
  /** The text typed since it was opened first, before its field was there. */
  takeTyped: () => string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Finds pages and everything in the account by names, words and ids, from the keyboard. */
export function CommandPalette({ open, onOpenChange, session, takeTyped }: CommandPaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Search or go to" hideHeader>
      <Palette session={session} takeTyped={takeTyped} close={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface PaletteProps extends Pick<CommandPaletteProps, "session" | "takeTyped"> {
  close: () => void;
}

function Palette({ session, takeTyped, close }: PaletteProps) {
  const router = usePageRouter();
  const { path } = usePlace();
  const destinations = useDestinations();
  const [text, setText] = useState("");
  const [places] = useState(() => recentPlaces(session.person, session.accountId));
  const { found, isSearching, failure, again } = useFound(text, true);
  const groups = paletteGroups({ text, destinations, places, here: path, found });
  const values = groups.flatMap((group) => group.entries.map((entry) => entryValue(group, entry)));
  // Until the reader moves, Enter opens the first result, even if more are inserted above it.
  const [picked, setPicked] = useState<string | null>(null);
  const isMoved = useRef(false);
  const selected = picked !== null && values.includes(picked) ? picked : (values[0] ?? "");

  // In an effect, after which the dialog focuses the field at once: no key is pressed in between.
  const take = useRef(takeTyped);
  useEffect(() => {
    const typed = take.current();
    if (typed !== "") setText(typed);
  }, []);

  const type = (next: string) => {
    isMoved.current = false;
    setPicked(null);
    setText(next);
  };
  const go = ({ href, remembered }: PaletteEntry) => {
    if (remembered) rememberPlace(session.person, session.accountId, href, { name: remembered });
    close();
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
          placeholder="A page, a preset, a guide, a model, an endpoint, words of a prompt, or an id"
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

/** Announced by screen readers after typing pauses. */
function announcement(
  text: string,
  count: number,
  isSearching: boolean,
  failed: boolean,
  partial: readonly (keyof typeof foundKinds)[],
): string {
  if (text.trim() === "") return "";
  if (isSearching) return "Searching…";
  const missing = partial.map((kind) => foundKinds[kind].heading.toLowerCase()).join(", ");
  const late = missing === "" ? "" : ` Not searched, as it took too long: ${missing}.`;
  if (count === 0 && !failed) return `Nothing matches all of these words.${late}`;
  return `${count === 1 ? "1 result" : `${count} results`}.${late}`;
}
