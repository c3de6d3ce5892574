"use client";

import { Dices } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "@/components/ui/button";
import { Switch } from "@/components/ui/form/switch";
import { numberOf } from "@/lib/schema-form/json";
import { FieldFrame, type FieldOf, fieldComponent } from "../field-frame.tsx";
import { NumberInput, RangeControl } from "../number-input.tsx";

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

/** A seed with which a result can be repeated, or a random one. */
export const SeedField = fieldComponent<"seed", number>(({ field, value, onChange, ...rest }) => (
  <FieldFrame field={field} {...rest}>
    {(aria) => (
      <div className="flex gap-1.5">
        <NumberInput
          aria={aria}
          pointer={rest.pointer}
          value={value}
          onChange={onChange}
          min={field.min}
          max={field.max}
          integer
          placeholder="Random for each run"
        />
        <IconButton
          label="Generate random seed"
          variant="secondary"
          icon={<Dices size={16} aria-hidden />}
          disabled={aria.disabled}
          onClick={() => onChange(field.min + Math.floor(Math.random() * (field.max - field.min + 1)))}
        />
      </div>
    )}
  </FieldFrame>
));

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
