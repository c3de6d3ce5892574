"use client";

import { type UseQueryStatesOptions, useQueryStates } from "nuqs";
import type { ListView, listView } from "@/lib/list-view";

type Described<Name extends string> = Pick<
  ReturnType<typeof listView<Name>>,
  "parsers" | "empty" | "countOf"
>;

/** A list's filters and place in the URL. Another filter begins at the newest page. */
export function useListView<Name extends string>(
  list: Described<Name>,
  options: Partial<UseQueryStatesOptions<Described<Name>["parsers"]>> = {},
) {
  const [view, setView] = useQueryStates(list.parsers, { history: "push", ...options });
  const shown = view as ListView<Name>;
  const change = (next: Partial<ListView<Name>>) =>
    void setView({ ...next, after: "", before: "" } as Parameters<typeof setView>[0]);
  return { view: shown, change, clear: () => change(list.empty), active: list.countOf(shown) };
}
