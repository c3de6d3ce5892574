"use client";

import { Plus } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import type { JsonObject } from "@/lib/schema-form/json";
import { startValue } from "@/lib/schema-form/start-value";
import { type FieldView, fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { GroupFields } from "../group-fields";
import { useJsonView } from "../json-view";

/** An object with known keys. One that may be left out is asked for only when somebody wants it. */
export const GroupField = fieldComponent<"group", JsonObject>((view) =>
  view.bare ? (
    <div id={view.id} tabIndex={-1}>
      <GroupFields {...view} value={view.value ?? {}} />
    </div>
  ) : (
    <FramedGroup {...view} />
  ),
);

function FramedGroup(view: FieldView<"group", JsonObject>) {
  const { field, value, onChange, ...rest } = view;
  const json = useJsonView(view);
  // What was left out comes back when it is wanted again.
  const last = useRef<JsonObject | null>(null);
  if (value !== undefined) last.current = value;
  if (json.editor) return json.editor;
  const absent = value === undefined && !field.required;
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
              <Button size="sm" variant="ghost" onClick={() => onChange(undefined)}>
                Leave out
              </Button>
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
          <div className="border-l-2 pl-3">
            <GroupFields {...view} value={value ?? {}} />
          </div>
        )
      }
    </FieldFrame>
  );
}
