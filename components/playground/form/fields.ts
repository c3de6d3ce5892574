import type { RegistryFieldsType } from "@rjsf/utils";
import { ChoiceField } from "./fields/choice-field";
import { ConfirmField } from "./fields/confirm-field";
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

/** Every kind of field but `items`, which rjsf's own array field draws through our templates. */
export const fields: RegistryFieldsType = {
  "field:prompt": PromptField,
  "field:text": TextField,
  "field:choice": ChoiceField,
  "field:region": RegionField,
  "field:range": RangeField,
  "field:number": NumberField,
  "field:seed": SeedField,
  "field:smart-duration": SmartDurationField,
  "field:yes-no": YesNoField,
  "field:confirm": ConfirmField,
  "field:messages": MessagesField,
  "field:media": MediaField,
  "field:media-list": MediaListField,
  "field:strings": StringsField,
  "field:json": JsonField,
};
