"use client";

import { useSearchParams } from "next/navigation";
import { type TransitionStartFunction, useMemo, useState } from "react";
import { usePageRouter, usePlace } from "@/components/ui/page/link";
import type { ListView, listView } from "@/lib/list-view";

export type DescribedList<Name extends string> = Pick<
  ReturnType<typeof listView<Name>>,
  "empty" | "viewOf" | "searchOf" | "countOf"
>;

/**
 * Filters and page position of a list in the URL. Each view is a step of the browser's history. Changing a
 * filter returns to the newest page. `onServer` is for lists that the server reads again.
 */
export function useListView<Name extends string>(
  list: DescribedList<Name>,
  onServer?: TransitionStartFunction,
) {
  const router = usePageRouter();
  const { path } = usePlace();
  const search = useSearchParams();
  const inAddress = useMemo(() => list.viewOf(Object.fromEntries(search)), [list, search]);
  // The address changes in a transition, during which a radio button would jump back.
  const [chosen, setChosen] = useState<{ before: typeof search; view: typeof inAddress } | null>(null);
  const view = chosen?.before === search ? chosen.view : inAddress;
  const change = (next: Partial<ListView<Name>>) => {
    const changed = list.searchOf({ ...view, ...next });
    if (onServer) return onServer(() => router.push(path + changed, { scroll: false }));
    setChosen({ before: search, view: list.viewOf(Object.fromEntries(new URLSearchParams(changed))) });
    window.history.pushState(null, "", window.location.pathname + changed);
  };
  return { view, change, clear: () => change(list.empty), active: list.countOf(view) };
}
