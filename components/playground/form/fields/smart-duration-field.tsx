"use client";

import { useRef } from "react";
import { Switch } from "@/components/ui/form/switch";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { RangeControl } from "../range-control";

/** Seconds, or the value that lets the model decide. */
export const SmartDurationField = fieldComponent<"smart-duration", number>((view) => {
  const { field, value, onChange, ...rest } = view;
  const smart = value === field.smart;
  // Turning the switch off restores the earlier length.
  const lastLength = useRef(field.min);
  if (!smart && value !== undefined) lastLength.current = value;
  return (
    <FieldFrame
      field={field}
      {...rest}
      aside={
        <Switch
          label="Let the model decide"
          checked={smart}
          disabled={rest.disabled}
          onChange={(event) => onChange(event.target.checked ? field.smart : lastLength.current)}
          className="[&>span:last-child]:text-table"
        />
      }
    >
      {(aria) => (
        <RangeControl
          aria={{ ...aria, ...(smart && { disabled: true }) }}
          pointer={rest.pointer}
          title={field.title}
          value={smart ? undefined : value}
          onChange={onChange}
          min={field.min}
          max={field.max}
          integer
        />
      )}
    </FieldFrame>
  );
});
