"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { usePreferences } from "@/components/shell/preferences";
import { spans, type TimeFilter } from "@/lib/list-view";
import { stretchLabel } from "@/lib/time-words/stretch-label";
import { FilterSelect } from "./filter-select.tsx";

const TimeRangeDialog = dynamic(
  () => import("./time-range-dialog.tsx").then((module) => module.TimeRangeDialog),
  { ssr: false },
);

interface TimeSelectProps {
  value: TimeFilter;
  onChange: (next: TimeFilter) => void;
}

const spanOptions = [...spans].map(([value, { label }]) => ({ value, label }));
/** Words that are read when they are chosen: the address has the times. */
const dayOptions = [
  { value: "today", label: "Today" },
  { value: "yesterday", label: "Yesterday" },
];

/** The one filter by time of a list: a span up to now, a day, or what is said in words or picked in a dialog. */
export function TimeSelect({ value, onChange }: TimeSelectProps) {
  const { timeZone } = usePreferences();
  const [typing, setTyping] = useState(false);
  const { since, created_after, created_before } = value;
  const isExact = created_after !== "" || created_before !== "";
  const exact = isExact
    ? [{ value: "exact", label: stretchLabel(created_after, created_before, timeZone) }]
    : [];
  const choose = async (next: string) => {
    if (next === "exact") return;
    if (next === "other") return setTyping(true);
    if (!dayOptions.some((day) => day.value === next))
      return onChange({ since: next, created_after: "", created_before: "" });
    const { timeOfWords } = await import("@/lib/time-words/time-filter");
    const read = timeOfWords(next, Date.now(), timeZone);
    if (read.time) onChange(read.time);
  };
  return (
    <>
      <FilterSelect
        label="Time"
        any="Any time"
        value={isExact ? "exact" : since}
        options={[...spanOptions, ...dayOptions, ...exact, { value: "other", label: "Other time…" }]}
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
