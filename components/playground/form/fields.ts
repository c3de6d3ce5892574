import type { RegistryFieldsType } from "@rjsf/utils";
import dynamic from "next/dynamic";
import type { FieldKind } from "@/lib/schema-form/plan";
import { type FieldControl, rjsfField } from "./field-component";
import { ChoiceField } from "./fields/choice-field";
import { ConfirmField } from "./fields/confirm-field";
import { GroupField } from "./fields/group-field";
import { ItemsField } from "./fields/items-field";
import { JsonField } from "./fields/json-field";
import { MediaField } from "./fields/media-field";
import { MediaListField } from "./fields/media-list-field";
import { MessagesField } from "./fields/messages-field";
import { NumberField } from "./fields/number-field";
import { PromptField } from "./fields/prompt-field";
import { RangeField } from "./fields/range-field";
import { RegionField } from "./fields/region-field";
import { SeedField } from "./fields/seed-field";
import { SmartDurationField } from "./fields/smart-duration-field";
import { StringsField } from "./fields/strings-field";
import { TextField } from "./fields/text-field";
import { YesNoField } from "./fields/yes-no-field";

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
  messages: MessagesField,
  media: MediaField,
  "media-list": MediaListField,
  strings: StringsField,
  json: JsonField,
  items: ItemsField,
  group: GroupField,
  // Loaded late, because few operations need these fields.
  map: dynamic(() => import("./late-fields/map-field").then((module) => module.MapField), { ssr: false }),
  moment: dynamic(() => import("./late-fields/moment-field").then((module) => module.MomentField), {
    ssr: false,
  }),
  union: dynamic(() => import("./late-fields/union-field").then((module) => module.UnionField), {
    ssr: false,
  }),
};

/** All controls as rjsf fields, by the names that the form's schema uses. */
export const fields: RegistryFieldsType = Object.fromEntries(
  Object.entries(controls).map(([kind, Control]) => [`field:${kind}`, rjsfField(Control)]),
);
