"use client";

import type { JsonObject } from "@/lib/schema-form/json";
import { FieldFrame, fieldComponent } from "../field-frame.tsx";
import { useJsonView } from "../json-view.tsx";
import { KeyRows } from "./key-rows.tsx";

const none: ReadonlySet<string> = new Set();

/** An object with freely chosen keys. */
export const MapField = fieldComponent<"map", JsonObject>((view) => {
  const { field, value = {}, onChange, pointer, ...rest } = view;
  const json = useJsonView(view);
  if (json.editor) return json.editor;
  return (
    <FieldFrame field={field} {...rest} group aside={json.toggle}>
      {() => (
        <KeyRows
          name={field.title}
          field={field.value}
          entries={Object.entries(value)}
          taken={none}
          max={field.max}
          pointer={pointer}
          onChange={(entries) =>
            onChange(entries.length === 0 && !field.required ? undefined : Object.fromEntries(entries))
          }
        />
      )}
    </FieldFrame>
  );
});
