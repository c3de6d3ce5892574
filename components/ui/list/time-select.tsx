"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { usePreferences } from "@/components/shell/preferences";
import { spans, type TimeFilter } from "@/lib/list-view";
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

/** The one filter by time of a list: a span up to now, or an exact range that is typed in a dialog. */
export function TimeSelect({ value, onChange }: TimeSelectProps) {
  const { timeZone } = usePreferences();
  const [typing, setTyping] = useState(false);
  const { since, created_after, created_before } = value;
  const isExact = created_after !== "" || created_before !== "";
  const exact = isExact
    ? [{ value: "exact", label: rangeLabel(created_after, created_before, timeZone) }]
    : [];
  return (
    <>
      <FilterSelect
        label="Time"
        any="Any time"
        value={isExact ? "exact" : since}
        options={[...spanOptions, ...exact, { value: "type", label: "Custom…" }]}
        onChange={(next) => {
          if (next === "type") setTyping(true);
          else if (next !== "exact") onChange({ since: next, created_after: "", created_before: "" });
        }}
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

/** `21 Nov, 10:00 – 22 Nov, 11:00`; one end may be open. */
function rangeLabel(after: string, before: string, timeZone: string): string {
  if (before === "") return `Since ${shortTime(after, timeZone)}`;
  if (after === "") return `Before ${shortTime(before, timeZone)}`;
  return `${shortTime(after, timeZone)} – ${shortTime(before, timeZone)}`;
}

function shortTime(value: string, timeZone: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return value;
  return at.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  });
}
