"use client";

import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import { Switch } from "@/components/ui/form/switch";
import type { Key } from "@/messages/words";
import { groupKeys, useDestinations } from "./navigation.ts";
import { usePreferences } from "./preferences.tsx";

interface ShortcutSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Messages of `shortcuts`: the title of a group, and what each of its keys does. */
const groups: readonly { title: Key<"shortcuts">; keys: readonly [string, Key<"shortcuts">][] }[] = [
  {
    title: "everywhere",
    keys: [
      ["Ctrl K", "search"],
      ["?", "show"],
      ["Esc", "close"],
    ],
  },
  {
    title: "lists",
    keys: [
      ["J", "next"],
      ["K", "previous"],
      ["Esc", "backToList"],
    ],
  },
  {
    title: "rows",
    keys: [
      ["Space", "select"],
      ["Arrows", "walk"],
      ["Shift Arrows", "selectMore"],
      ["Enter", "toActions"],
    ],
  },
  {
    title: "gallery",
    keys: [
      ["Arrows", "walk"],
      ["Space", "open"],
      ["X", "selectFile"],
      ["K", "keep"],
      ["C", "compareSelected"],
      ["R", "runAgain"],
      ["Esc", "clearSelection"],
    ],
  },
  {
    title: "results",
    keys: [
      ["Arrows", "walk"],
      ["Space", "open"],
    ],
  },
  {
    title: "playground",
    keys: [
      ["Ctrl Enter", "run"],
      ["Esc", "stop"],
    ],
  },
];

export function ShortcutSheet({ open, onOpenChange }: ShortcutSheetProps) {
  const t = useWords("shortcuts");
  const { preferences, change } = usePreferences();
  const destinations = useDestinations();
  const titles = useWords("pages");
  const said = groups.map(({ title, keys }) => ({
    title: t(title),
    keys: keys.map(([combination, what]) => [combination, t(what)] as const),
  }));
  const goTo = {
    title: t("goTo"),
    keys: [...groupKeys]
      .filter(([, group]) => destinations.some((page) => page.group === group))
      .map(([letter, group]) => [`G ${letter.toUpperCase()}`, titles(group)] as const),
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={useWords("shell")("shortcuts")} size="lg">
      <Switch
        label={t("single")}
        checked={preferences.shortcuts}
        onChange={(event) => change({ shortcuts: event.target.checked })}
      />
      <div className="mt-4 grid gap-x-8 gap-y-5 tablet:grid-cols-2">
        {[...said, goTo].map(({ title, keys }) => (
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
