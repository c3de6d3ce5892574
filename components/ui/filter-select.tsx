import { Field } from "./field.tsx";
import { Select } from "./input.tsx";

interface FilterSelectProps {
  label: string;
  /** The words of no filter. */
  any: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** One filter of a list; a value from the URL that is not among the options stays visible. */
export function FilterSelect({ label, any, value, options, onChange }: FilterSelectProps) {
  const known = value === "" || options.some((option) => option.value === value);
  return (
    <Field label={label} hideLabel className="w-36 max-tablet:flex-1 max-tablet:basis-32">
      {(aria) => (
        <Select {...aria} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{any}</option>
          {!known && <option value={value}>{value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
