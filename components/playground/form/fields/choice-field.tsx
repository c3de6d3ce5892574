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
  const unset = field.required
    ? null
    : "default" in field
      ? `Default (${wordOf(field.default)})`
      : "Automatic";
  const words = [unset ?? "", ...field.values.map(wordOf)];
  const known = value === undefined || field.values.includes(value);
  if (known && words.length <= 6 && words.join("xx").length <= segmentCharacters)
    return (
      <FieldFrame field={field} {...rest} group>
        {() => (
          <Segments
            options={[
              ...(unset ? [{ value: undefined, label: unset }] : []),
              ...field.values.map((each) => ({ value: each, label: wordOf(each) })),
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
              {wordOf(each)}
            </option>
          ))}
        </Select>
      )}
    </FieldFrame>
  );
});

const abbreviation = /^(png|jpe?g|webp|mp[34]|wav)$/;
const plainWords = /^[a-z]+([_-][a-z]+)*$/;

/** `reference_image` as `Reference image`, `png` as `PNG`; anything else as it is. */
function wordOf(value: unknown): string {
  const text = String(value);
  if (abbreviation.test(text)) return text.toUpperCase();
  return plainWords.test(text) ? text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ") : text;
}
