import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { useWords } from "#words";
import { usePreferences } from "@/components/shell/preferences";
import { type ListView, spans, type TimeFilter } from "@/lib/list-view";
import { stretchLabel } from "@/lib/time-words/stretch-label";
import { FilterBar, FilterSelect, type FilterSelectProps } from "./filter-bar.tsx";

/** A filter of a list with its options. `name` is its name in the list's view. */
export interface SelectFilter<Name extends string>
  extends Pick<FilterSelectProps, "label" | "any" | "groups"> {
  name: Name;
  options?: FilterSelectProps["options"];
  /** A second filter in the same select, and the values that belong to it. */
  or?: { name: Name; takes: (value: string) => boolean };
}

/** A list with its filters in the URL, as returned by `useListView`. */
export interface FilteredList<Name extends string> {
  view: ListView<Name>;
  active: number;
  /** Changes filters and returns to the first page. */
  change: (change: Partial<ListView<Name>>) => void;
  clear: () => void;
}

interface ListFiltersProps<Name extends string> {
  list: FilteredList<Name>;
  selects: readonly (SelectFilter<Name> | false)[];
  /** Text filters, placed before the selects. */
  before?: ReactNode;
  /** Other filters, placed between the selects and the time. */
  children?: ReactNode;
  /** Content after the time filter. */
  after?: ReactNode;
  /** The number of rows as text. Empty if not counted. */
  summary?: string;
  actions?: ReactNode;
}

/** The filters of a list in one row: selects, time, and the button to clear them. */
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

/** Values that are also their labels. */
export const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const TimeRangeDialog = dynamic(
  () => import("./time-range-dialog.tsx").then((module) => module.TimeRangeDialog),
  { ssr: false },
);

interface TimeSelectProps {
  value: TimeFilter;
  onChange: (next: TimeFilter) => void;
}

/** Choosing one of these days sets the fixed times of that day, which the address then contains. */
const days = ["today", "yesterday"] as const;

/**
 * The time filter of a list: a span up to now, a day, or a range that the user enters in words or picks in a
 * dialog.
 */
function TimeSelect({ value, onChange }: TimeSelectProps) {
  const t = useWords("ui");
  const { timeZone } = usePreferences();
  const [typing, setTyping] = useState(false);
  const { since, created_after, created_before } = value;
  const isExact = created_after !== "" || created_before !== "";
  const exact = isExact
    ? [{ value: "exact", label: stretchLabel(t, created_after, created_before, timeZone) }]
    : [];
  const fixed = [
    ...[...spans].map(([value, { label }]) => ({ value, label: t(label) })),
    ...days.map((value) => ({ value, label: t(value) })),
  ];
  const choose = async (next: string) => {
    if (next === "exact") return;
    if (next === "other") return setTyping(true);
    if (!days.some((day) => day === next))
      return onChange({ since: next, created_after: "", created_before: "" });
    const { timeOfWords } = await import("@/lib/time-words/time-filter");
    const read = timeOfWords(next, Date.now(), timeZone);
    if (read.time) onChange(read.time);
  };
  return (
    <>
      <FilterSelect
        label={t("time")}
        any={t("anyTime")}
        value={isExact ? "exact" : since}
        options={[...fixed, ...exact, { value: "other", label: t("otherTime") }]}
        onChange={(next) => void choose(next)}
      />
      {typing && (
        <TimeRangeDialog
          value={value}
          timeZone={timeZone}
          onClose={() => setTyping(false)}
          onChange={onChange}
        />
      )}
    </>
  );
}
