"use client";

import { Plus, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useContext, useRef } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import type { JsonObject } from "@/lib/schema-form/json";
import { startValue } from "@/lib/schema-form/plan";
import { pointerOf } from "@/lib/schema-form/pointers";
import { FieldFrame, type FieldView, fieldComponent } from "../field-frame.tsx";
import { PartContext } from "../form-context.tsx";
import { useJsonView } from "../json-view.tsx";

const KeyRows = dynamic(() => import("../late-fields/key-rows.tsx").then((module) => module.KeyRows), {
  ssr: false,
});

/** An object with known keys. An optional object is added only when the user chooses so. */
export const GroupField = fieldComponent<"group", JsonObject>((view) => {
  const t = useWords("inputForm");
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
                label={t("leaveOutTitle", { title: field.title })}
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
            {t("setTitle", { title: field.title.toLowerCase() })}
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

interface GroupFieldsProps extends FieldView<"group", JsonObject> {
  value: JsonObject;
}

/** The keys of an object, one below the other. Keys that the schema does not have stay unchanged. */
function GroupFields({ field, value, onChange, pointer }: GroupFieldsProps) {
  const t = useWords("inputForm");
  const Part = useContext(PartContext);
  const known = new Set([...field.fields.map((part) => part.name), ...Object.keys(field.fixed)]);
  const change = (next: JsonObject) => onChange({ ...field.fixed, ...next, ...field.fixed });
  const set = (name: string, entry: unknown) => {
    if (entry !== undefined) return change({ ...value, [name]: entry });
    const { [name]: _old, ...others } = value;
    change(others);
  };
  const all = Object.entries(value);
  const listed = all.filter(([key]) => known.has(key));
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {field.fields.map((part) => (
        <Part
          key={part.name}
          field={part}
          value={value[part.name]}
          onChange={(entry) => set(part.name, entry)}
          pointer={pointer + pointerOf([part.name])}
        />
      ))}
      {field.further && (
        <KeyRows
          name={t("furtherKeys", { title: field.title })}
          field={field.further}
          entries={all.filter(([key]) => !known.has(key))}
          taken={known}
          max={null}
          pointer={pointer}
          onChange={(further) => change(Object.fromEntries([...listed, ...further]))}
        />
      )}
    </div>
  );
}
