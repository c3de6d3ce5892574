import { Field } from "@/components/ui/form/field";
import { Select } from "@/components/ui/form/input";
import { classNames } from "../class-names.ts";

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
