"use client";

import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { Segments } from "../segments";

/**
 * Not a plain checkbox, which could not distinguish "no" from "not answered". The difference may change the
 * price.
 */
export const YesNoField = fieldComponent<"yes-no", boolean>(({ field, value, onChange, ...rest }) => {
  const unset =
    field.default === undefined ? "Automatic" : `Default (${field.default === true ? "yes" : "no"})`;
  return (
    <FieldFrame field={field} {...rest} group>
      {() => (
        <Segments
          options={[
            ...(field.required ? [] : [{ value: undefined, label: unset }]),
            { value: true, label: "Yes" },
            { value: false, label: "No" },
          ]}
          value={value}
          onChange={onChange}
          invalid={rest.problem !== null}
        />
      )}
    </FieldFrame>
  );
});
