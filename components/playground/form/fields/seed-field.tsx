"use client";

import { Dices } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { NumberInput } from "../number-input";

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
