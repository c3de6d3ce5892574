"use client";

import { Input } from "@/components/ui/form/input";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";

/** Short text. Suggests the example's value, but accepts any text. */
export const TextField = fieldComponent<"text", string>(({ field, value = "", onChange, ...rest }) => (
  <FieldFrame field={field} {...rest}>
    {(aria) => (
      <>
        <Input
          {...aria}
          value={value}
          autoComplete="off"
          {...(field.entry !== "text" && {
            inputMode: field.entry,
            autoCapitalize: "none",
            spellCheck: false,
          })}
          onChange={(event) => onChange(event.target.value || undefined)}
          {...(field.suggestions.length > 0 && { list: `${aria.id}-list` })}
        />
        {field.suggestions.length > 0 && (
          <datalist id={`${aria.id}-list`}>
            {field.suggestions.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        )}
      </>
    )}
  </FieldFrame>
));
