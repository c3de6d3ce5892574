"use client";

import { Dices } from "lucide-react";
import { useRef } from "react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { Switch } from "@/components/ui/form/switch";
import { numberOf } from "@/lib/schema-form/json";
import type { Words } from "@/messages/words";
import { FieldFrame, type FieldOf, fieldComponent } from "../field-frame.tsx";
import { NumberInput, RangeControl } from "../number-input.tsx";

export const NumberField = fieldComponent<"number", number>(({ field, value, onChange, ...rest }) => {
  const t = useWords("inputForm");
  const { min, max, integer } = field;
  const byDefault = numberOf(field.default);
  const span = spanOf(field, t);
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
          placeholder={byDefault === null ? span : t("numberByDefault", { value: String(byDefault) })}
        />
      )}
    </FieldFrame>
  );
});

/** `0 to 1`, `above 0`, `up to 10`. */
function spanOf({ min, max, above, below }: FieldOf<"number">, t: Words<"inputForm">): string {
  if (min !== null && max !== null) {
    const span = { min: String(min), max };
    if (above) return below ? t("aboveAndBelow", span) : t("aboveAndUpTo", span);
    return below ? t("fromAndBelow", span) : t("fromTo", span);
  }
  if (min !== null && above) return t("above", { min: String(min) });
  return max !== null && below ? t("below", { max }) : "";
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
export const SeedField = fieldComponent<"seed", number>(({ field, value, onChange, ...rest }) => {
  const t = useWords("inputForm");
  return (
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
            placeholder={t("randomForEachRun")}
          />
          <IconButton
            label={t("generateRandomSeed")}
            variant="secondary"
            icon={<Dices size={16} aria-hidden />}
            disabled={aria.disabled}
            onClick={() => onChange(field.min + Math.floor(Math.random() * (field.max - field.min + 1)))}
          />
        </div>
      )}
    </FieldFrame>
  );
});

/** Seconds, or the value that lets the model decide. */
export const SmartDurationField = fieldComponent<"smart-duration", number>((view) => {
  const t = useWords("inputForm");
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
          label={t("letTheModelDecide")}
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
