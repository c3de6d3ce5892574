"use client";

import { useWords } from "#words";
import { InputField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { FilterSelect } from "@/components/ui/list/filter-bar";
import { usageSpans } from "@/lib/usage/span";

/** The period as in the page's address: the last days, a calendar month, or a range. */
interface TimeSearch {
  days: (typeof usageSpans)[number];
  month: string;
  from: string;
  to: string;
}

interface TimeProps {
  search: TimeSearch;
  onChange: (time: Partial<TimeSearch>) => void;
}

const noTime = { month: "", from: "", to: "" };

export function isOfDays({ month, from, to }: TimeSearch): boolean {
  return month === "" && from === "" && to === "";
}

/** Days until today. */
export function DaysChoice({ search, onChange }: TimeProps) {
  const t = useWords("usage");
  return (
    <RadioGroup
      legend={t("time")}
      hideLegend
      appearance="segments"
      options={usageSpans.map((value) => ({ value, label: t("valueDays", { value }) }))}
      value={isOfDays(search) ? search.days : null}
      onChange={(days) => onChange({ ...noTime, days })}
    />
  );
}

interface TimeFiltersProps extends TimeProps {
  /** The months to choose from. */
  months: readonly { value: string; label: string }[];
}

/** A calendar month or a range. */
export function TimeFilters({ search, months, onChange }: TimeFiltersProps) {
  const t = useWords("usage");
  return (
    <>
      <FilterSelect
        label={t("month")}
        any={t("anyMonth")}
        value={search.month}
        options={months}
        onChange={(month) => onChange({ ...noTime, month })}
      />
      <DayField
        label={t("from")}
        value={search.from}
        max={search.to}
        onChange={(from) => onChange({ month: "", from })}
      />
      <DayField
        label={t("to")}
        value={search.to}
        min={search.from}
        onChange={(to) => onChange({ month: "", to })}
      />
    </>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

/** A day of a range, which takes effect when both ends are chosen. */
function DayField({ label, value, min, max, onChange }: DayFieldProps) {
  const t = useWords("usage");
  return (
    <span className="flex flex-1 basis-44 items-center gap-1.5 tablet:max-w-48">
      <span aria-hidden className="text-table text-muted">
        {label}
      </span>
      <InputField
        label={t("labelUtc", { label })}
        hideLabel
        className="min-w-0 flex-1"
        type="date"
        title={label}
        value={value}
        min={min || undefined}
        max={max || undefined}
        onValue={onChange}
      />
    </span>
  );
}
