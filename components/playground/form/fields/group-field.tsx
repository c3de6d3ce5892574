"use client";

import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "@/components/ui/button";
import type { JsonObject } from "@/lib/schema-form/json";
import { startValue } from "@/lib/schema-form/plan";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { GroupFields } from "../group-fields";
import { useJsonView } from "../json-view";

/** An object with known keys. An optional object is added only when the user chooses so. */
export const GroupField = fieldComponent<"group", JsonObject>((view) => {
  const { field, value, onChange, ...rest } = view;
  const json = useJsonView(view);
  // Remembers the values, so that adding the group again restores them.
  const last = useRef<JsonObject | null>(null);
  if (value !== undefined) last.current = value;
  if (json.editor) return json.editor;
  const absent = value === undefined && !field.required && !rest.bare;
  return (
    <FieldFrame
      field={field}
      {...rest}
      group
      aside={
        !absent && (
          <span className="flex">
            {json.toggle}
            {!field.required && (
              <IconButton
                size="sm"
                label={`Leave out ${field.title}`}
                icon={<X size={14} aria-hidden />}
                onClick={() => onChange(undefined)}
                className="-mt-1.5"
              />
            )}
          </span>
        )
      }
    >
      {() =>
        absent ? (
          <Button
            size="sm"
            className="self-start"
            icon={<Plus size={14} aria-hidden />}
            onClick={() => onChange(last.current ?? (startValue(field) as JsonObject))}
          >
            {`Set ${field.title.toLowerCase()}`}
          </Button>
        ) : (
          <div className={rest.bare ? "" : "border-l-2 pl-3"}>
            <GroupFields {...view} value={value ?? {}} />
          </div>
        )
      }
    </FieldFrame>
  );
});
