"use client";

import { numberOf } from "@/lib/schema-form/json";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { RangeControl } from "../range-control";

export const RangeField = fieldComponent<"range", number>(({ field, value, onChange, ...rest }) => (
  <FieldFrame field={field} {...rest}>
    {(aria) => (
      <RangeControl
        aria={aria}
        pointer={rest.pointer}
        title={field.title}
        value={value}
        onChange={onChange}
        min={field.min}
        max={field.max}
        integer={field.integer}
        step={field.step}
        fallback={numberOf(field.default) ?? undefined}
      />
    )}
  </FieldFrame>
));
