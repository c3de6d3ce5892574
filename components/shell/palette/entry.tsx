import { Command } from "cmdk";
import type { ReactNode } from "react";
import type { Found } from "#contract/search.ts";
import { Time } from "@/components/ui/time";
import { describeLast, isBad } from "./found-kinds.ts";

const groupLook =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted";

/** Something that the palette can open. */
export interface PaletteEntry {
  /** Needed if several entries have the same address; otherwise the address identifies it. */
  id?: string;
  href: string;
  icon: ReactNode;
  label: ReactNode;
  about?: string | null;
  /** Its last event. */
  last?: Pick<Found, "kind" | "state" | "at">;
  /** Its name in the list of recently opened places; if missing, it is not stored there. */
  remembered?: string;
}

export interface PaletteGroup {
  heading: string;
  entries: PaletteEntry[];
}

interface EntryGroupProps {
  group: PaletteGroup;
  onSelect: (entry: PaletteEntry) => void;
}

export function EntryGroup({ group, onSelect }: EntryGroupProps) {
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

/** Identifies an entry among all. */
export function entryValue({ heading }: PaletteGroup, { id, href }: PaletteEntry): string {
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
