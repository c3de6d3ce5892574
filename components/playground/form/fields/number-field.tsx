"use client";

import { numberOf } from "@/lib/schema-form/json";
import { type FieldOf, fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { NumberInput } from "../number-input";

export const NumberField = fieldComponent<"number", number>(({ field, value, onChange, ...rest }) => {
  const { min, max, integer } = field;
  const byDefault = numberOf(field.default);
  const span = spanOf(field);
  return (
    <FieldFrame field={field} {...rest}>
      {(aria) => (
        <NumberInput
          aria={aria}
          pointer={rest.pointer}
          value={value}
          onChange={onChange}
          min={min}
          max={max}
          integer={integer}
          step={field.step}
          placeholder={byDefault === null ? span : `${byDefault} (default)`}
        />
      )}
    </FieldFrame>
  );
});

/** `0 to 1`, `above 0`, `up to 10`. */
function spanOf({ min, max, above, below }: FieldOf<"number">): string {
  if (min !== null && max !== null && !above && !below) return `${min} to ${max.toLocaleString("en")}`;
  const parts = [
    min !== null && (above ? `above ${min}` : `from ${min}`),
    max !== null && (below ? `below ${max.toLocaleString("en")}` : `up to ${max.toLocaleString("en")}`),
  ];
  return above || below ? parts.filter(Boolean).join(", ") : "";
}
