"use client";

import { Select } from "@/components/ui/input";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { Segments } from "../segments";

/** More than this in a row wraps on a phone. */
const segmentCharacters = 44;

/** One of a few values: side by side where they fit, else in a list. */
export const ChoiceField = fieldComponent<"choice", string | number>((view) => {
  const { field, value, onChange, ...rest } = view;
  const unset = field.required ? null : "default" in field ? `Default (${field.default})` : "Automatic";
  const words = [unset ?? "", ...field.values.map(String)];
  const known = value === undefined || field.values.includes(value);
  if (known && words.length <= 6 && words.join("xx").length <= segmentCharacters)
    return (
      <FieldFrame field={field} {...rest} group>
        {() => (
          <Segments
            options={[
              ...(unset ? [{ value: undefined, label: unset }] : []),
              ...field.values.map((each) => ({ value: each, label: String(each) })),
            ]}
            value={value}
            onChange={onChange}
            invalid={rest.problem !== null}
          />
        )}
      </FieldFrame>
    );
  return (
    <FieldFrame field={field} {...rest}>
      {(aria) => (
        <Select
          {...aria}
          value={value === undefined ? "" : String(value)}
          onChange={(event) => onChange(field.values.find((each) => String(each) === event.target.value))}
        >
          <option value="">{unset ?? "Choose…"}</option>
          {!known && <option value={String(value)}>{String(value)} (not offered)</option>}
          {field.values.map((each) => (
            <option key={each} value={String(each)}>
              {each}
            </option>
          ))}
        </Select>
      )}
    </FieldFrame>
  );
});
