"use client";

import type { RegistryFieldsType } from "@rjsf/utils";
import dynamic from "next/dynamic";
import type { FieldKind } from "@/lib/schema-form/plan";
import { fieldId } from "@/lib/schema-form/pointers";
import { asJson, fits, shownValue } from "@/lib/schema-form/rjsf-form";
import { type FieldControl, rjsfField } from "./field-frame.tsx";
import { ChoiceField, ConfirmField, RegionField, YesNoField } from "./fields/choice-fields.tsx";
import { GroupField } from "./fields/group-field.tsx";
import { ItemsField } from "./fields/items-field.tsx";
import { JsonField } from "./fields/json-field.tsx";
import { MediaField, MediaListField } from "./fields/media-fields.tsx";
import { NumberField, RangeField, SeedField, SmartDurationField } from "./fields/number-fields.tsx";
import { PromptField, StringsField, TextField } from "./fields/text-fields.tsx";
import { type PartProps, useFormDisabled, useProblem } from "./form-context.tsx";

export const controls: Record<FieldKind, FieldControl> = {
  prompt: PromptField,
  text: TextField,
  choice: ChoiceField,
  region: RegionField,
  range: RangeField,
  number: NumberField,
  seed: SeedField,
  "smart-duration": SmartDurationField,
  "yes-no": YesNoField,
  confirm: ConfirmField,
  media: MediaField,
  "media-list": MediaListField,
  strings: StringsField,
  json: JsonField,
  items: ItemsField,
  group: GroupField,
  // Loaded late, because few operations need these fields.
  messages: dynamic(() => import("./late-fields/messages-field.tsx").then((module) => module.MessagesField), {
    ssr: false,
  }),
  map: dynamic(() => import("./late-fields/map-field.tsx").then((module) => module.MapField), { ssr: false }),
  moment: dynamic(() => import("./late-fields/moment-field.tsx").then((module) => module.MomentField), {
    ssr: false,
  }),
  union: dynamic(() => import("./late-fields/union-field.tsx").then((module) => module.UnionField), {
    ssr: false,
  }),
};

/** All controls as rjsf fields, by the names that the form's schema uses. */
export const fields: RegistryFieldsType = Object.fromEntries(
  Object.entries(controls).map(([kind, Control]) => [`field:${kind}`, rjsfField(Control)]),
);

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
