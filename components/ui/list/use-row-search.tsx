"use client";

import { hasWords, searchWords } from "#contract/search-words.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { listView } from "@/lib/list-view";
import type { Noun } from "@/messages/words";
import { FilterBar } from "./filter-bar.tsx";
import { SearchFilter } from "./text-filter.tsx";
import { useListView } from "./use-list-view.ts";

/** The search field is hidden at or below this number of rows. */
const glanceRows = 5;

const searched = listView(["search"]);

interface RowSearch<Row> {
  rows: readonly Row[];
  /**
   * The searchable text of a row, including its id, because Ctrl K searches for the id to open a list at one
   * row.
   */
  textOf: (row: Row) => string;
  /** The searched rows. */
  noun: Noun;
}

/** The search of a list without pages. Its words are in the address, and match as in the palette. */
export function useRowSearch<Row>({ rows, textOf, noun }: RowSearch<Row>) {
  const t = useWords("ui");
  const many = useWords("nouns")(noun, { count: 2 });
  const { view, change, clear } = useListView(searched);
  const words = searchWords(view.search);
  const found = words.length === 0 ? rows : rows.filter((row) => hasWords(textOf(row), words));
  return {
    found,
    bar: (rows.length > glanceRows || words.length > 0) && (
      <>
        <FilterBar
          active={words.length > 0 ? 1 : 0}
          onClear={clear}
          summary={
            found.length === rows.length
              ? ""
              : t("shownOf", { shown: found.length, total: rows.length, noun: many })
          }
        >
          <SearchFilter of={many} value={view.search} onChange={(search) => change({ search })} />
        </FilterBar>
        {found.length === 0 && (
          <EmptyState
            title={t("noneMatchAll", { noun: many })}
            body={t("useFewerWords")}
            action={<Button onClick={clear}>{t("showAll", { noun: many })}</Button>}
          />
        )}
      </>
    ),
  };
}
