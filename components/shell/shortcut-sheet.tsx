"use client";

import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import { Switch } from "@/components/ui/form/switch";
import { groupKeys, useDestinations } from "./navigation.ts";
import { usePreferences } from "./preferences.tsx";

interface ShortcutSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

interface KeyGroup {
  title: string;
  keys: readonly [string, string][];
}

const groups: readonly KeyGroup[] = [
  {
    title: "Everywhere",
    keys: [
      ["Ctrl K", "Search or go to"],
      ["?", "Show keyboard shortcuts"],
      ["Esc", "Close dialog or menu"],
    ],
  },
  {
    title: "Lists and detail pages",
    keys: [
      ["J", "Next row"],
      ["K", "Previous row"],
      ["Esc", "Back to the list"],
    ],
  },
  {
    title: "Selected rows",
    keys: [
      ["Space", "Select the row"],
      ["Arrows", "Walk"],
      ["Shift Arrows", "Select more rows"],
      ["Enter", "Go to the actions"],
    ],
  },
  {
    title: "Gallery of predictions",
    keys: [
      ["Arrows", "Walk"],
      ["Space", "Open"],
      ["C", "Add to the comparison"],
      ["R", "Run again with the same input"],
      ["Esc", "Clear the comparison"],
    ],
  },
  {
    title: "Results of a comparison",
    keys: [
      ["Arrows", "Walk"],
      ["Space", "Open"],
    ],
  },
  {
    title: "Playground",
    keys: [
      ["Ctrl Enter", "Run"],
      ["Esc", "Stop a stream"],
    ],
  },
];

export function ShortcutSheet({ open, onOpenChange }: ShortcutSheetProps) {
  const { preferences, change } = usePreferences();
  const destinations = useDestinations();
  const titles = useWords("pages");
  const goTo: KeyGroup = {
    title: "Go to",
    keys: [...groupKeys]
      .filter(([, group]) => destinations.some((page) => page.group === group))
      .map(([letter, group]) => [`G ${letter.toUpperCase()}`, titles(group)]),
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="lg">
      <Switch
        label="Single-letter shortcuts"
        checked={preferences.shortcuts}
        onChange={(event) => change({ shortcuts: event.target.checked })}
      />
      <div className="mt-4 grid gap-x-8 gap-y-5 tablet:grid-cols-2">
        {[...groups, goTo].map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-1 text-table font-semibold">{title}</h3>
            <dl>
              {keys.map(([combination, what]) => (
                <div key={combination} className="flex justify-between gap-4 border-b py-1.5 last:border-b-0">
                  <dt>{what}</dt>
                  <dd className="flex gap-1">
                    {combination.split(" ").map((part) => (
                      <kbd key={part} className="rounded-[4px] border bg-sunken px-1.5 text-meta">
                        {part}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
