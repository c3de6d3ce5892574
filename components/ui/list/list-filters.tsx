import type { ReactNode } from "react";
import type { ListView } from "@/lib/list-view";
import { FilterBar } from "./filter-bar.tsx";
import { FilterSelect, type FilterSelectProps } from "./filter-select.tsx";
import { TimeSelect } from "./time-select.tsx";

/** One filter of a list with its choices, under its name in the list's view. */
export interface SelectFilter<Name extends string>
  extends Pick<FilterSelectProps, "label" | "any" | "groups"> {
  name: Name;
  options?: FilterSelectProps["options"];
  /** Another filter that is chosen in the same place, and which values are its. */
  or?: { name: Name; takes: (value: string) => boolean };
}

/** Of a list whose filters stand in its URL: what `useListView` answers. */
export interface FilteredList<Name extends string> {
  view: ListView<Name>;
  active: number;
  /** Changes filters; the place in the list starts over. */
  change: (change: Partial<ListView<Name>>) => void;
  clear: () => void;
}

interface ListFiltersProps<Name extends string> {
  list: FilteredList<Name>;
  selects: readonly (SelectFilter<Name> | false)[];
  /** What is typed, before the choices. */
  before?: ReactNode;
  /** Other filters, after the choices and before the time. */
  children?: ReactNode;
  /** After the time. */
  after?: ReactNode;
  /** How many there are, in words; empty where nobody counted. */
  summary?: string;
  actions?: ReactNode;
}

/** The filters of a list in one row: its choices, the time, and the button that takes them off. */
export function ListFilters<Name extends string>(props: ListFiltersProps<Name>) {
  const { list, selects, before, children, after, summary = "", actions } = props;
  const view: Record<string, string> = list.view;
  const change = (values: Record<string, string>) => list.change(values as Partial<ListView<Name>>);
  return (
    <FilterBar active={list.active} onClear={list.clear} summary={summary} actions={actions}>
      {before}
      {selects
        .filter((select) => select !== false)
        .map(({ name, or, options = [], ...words }) => (
          <FilterSelect
            key={name}
            {...words}
            options={options}
            value={view[name] || (or ? (view[or.name] ?? "") : "")}
            onChange={(value) => {
              const others = or?.takes(value) ?? false;
              change({ [name]: others ? "" : value, ...(or && { [or.name]: others ? value : "" }) });
            }}
          />
        ))}
      {children}
      <TimeSelect value={list.view} onChange={(time) => change({ ...time })} />
      {after}
    </FilterBar>
  );
}

/** Values that are their own labels. */
export const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
