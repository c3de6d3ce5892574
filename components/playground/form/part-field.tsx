"use client";

import { fieldId } from "@/lib/schema-form/json";
import { asJson, fits, shownValue } from "@/lib/schema-form/rjsf-form";
import { controls } from "./fields";
import { type PartProps, useFormDisabled, useProblem } from "./form-context";

/** A nested value in its own control, or as JSON if the control cannot show it. */
export function PartField({ field, value, onChange, pointer, bare = false }: PartProps) {
  const problem = useProblem(pointer);
  const disabled = useFormDisabled();
  const shown = shownValue(field, value);
  const drawn = fits(field, shown) ? field : asJson(field);
  const Control = controls[drawn.kind];
  return (
    <Control
      field={drawn}
      value={shown}
      onChange={onChange}
      id={fieldId(pointer)}
      pointer={pointer}
      problem={problem}
      disabled={disabled}
      bare={bare}
    />
  );
}
