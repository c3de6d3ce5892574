"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useWords } from "#words";
import { Field } from "@/components/ui/form/field";
import { Select } from "@/components/ui/form/input";
import { Button } from "../button.tsx";
import { buttonLook, classNames } from "../looks.ts";

interface FilterBarProps {
  /** The filters in their order. They wrap on narrow windows, and collapse into a sheet on phones. */
  children: ReactNode;
  /** Number of filters that are set. With `onClear` there is a button to clear them. */
  active?: number;
  onClear?: () => void;
  /** Screen readers announce it when it changes, e.g. `12 of 32 models`. */
  summary?: string;
  actions?: ReactNode;
}

export function FilterBar({ children, active = 0, onClear, summary, actions }: FilterBarProps) {
  const t = useWords("ui");
  const id = useId();
  return (
    <search
      aria-label={t("filters")}
      className="mb-3 flex flex-wrap items-center gap-2 [&_input]:text-table [&_select]:text-table"
    >
      <button type="button" popoverTarget={id} className={`folds-button ${buttonLook()}`}>
        <SlidersHorizontal size={16} aria-hidden />
        {active > 0 ? t("filtersActive", { count: active }) : t("filters")}
      </button>
      <div id={id} popover="auto" className="folds folds-inline">
        {children}
      </div>
      {active > 0 && onClear && (
        <Button variant="ghost" icon={<X size={14} aria-hidden />} onClick={onClear}>
          {t.rich(
            "clearFilters",
            { count: active },
            {
              hidden: (content) => (
                <span key="hidden" className="sr-only">
                  {content}
                </span>
              ),
            },
          )}
        </Button>
      )}
      {actions && <span className="flex flex-wrap items-center gap-2 tablet:ml-auto">{actions}</span>}
      <span role="status" className="tabular ml-auto text-table text-muted empty:ml-0 empty:-mr-2">
        {summary}
      </span>
    </search>
  );
}

interface Option {
  value: string;
  label: string;
}

export interface FilterSelectProps {
  label: string;
  /** Label for "no filter". */
  any: string;
  value: string;
  options: readonly Option[];
  /** More options, under headings. */
  groups?: readonly { label: string; options: readonly Option[] }[];
  onChange: (value: string) => void;
}

/** A filter of a list. A value in the URL that is not among the options stays visible. */
export function FilterSelect({ label, any, value, options, groups = [], onChange }: FilterSelectProps) {
  const all = [...options, ...groups.flatMap((group) => group.options)];
  const known = value === "" || all.some((option) => option.value === value);
  return (
    // Not a SelectField, because its options are in groups.
    <Field label={label} hideLabel className="max-w-full shrink-0 max-tablet:w-full">
      {(aria) => (
        <Select
          {...aria}
          // A border and background mark an active filter.
          className={classNames(
            // As wide as what is chosen, so that no word is cut.
            "[&_select]:field-sizing-content [&_select]:min-w-20 [&_select]:pr-6! [&_select]:pl-2! [&_svg]:right-1",
            value !== "" && "[&_select]:border-accent [&_select]:bg-accent-soft",
          )}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{any}</option>
          {!known && <option value={value}>{value}</option>}
          <Options options={options} />
          {groups.map((group) => (
            <optgroup key={group.label} label={group.label}>
              <Options options={group.options} />
            </optgroup>
          ))}
        </Select>
      )}
    </Field>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map((option) => (
    <option key={option.value} value={option.value}>
      {option.label}
    </option>
  ));
}
