"use client";

import { numberOf } from "@/lib/schema-form/json";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { NumberInput } from "../number-input";

export const NumberField = fieldComponent<"number", number>(({ field, value, onChange, ...rest }) => {
  const { min, max, integer } = field;
  const byDefault = numberOf(field.default);
  const span = min !== null && max !== null ? `${min} to ${max.toLocaleString("en")}` : "";
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
          placeholder={byDefault === null ? span : `${byDefault} (default)`}
        />
      )}
    </FieldFrame>
  );
});
