"use client";

import dynamic from "next/dynamic";
import { useContext } from "react";
import { type JsonObject, pointerOf } from "@/lib/schema-form/json";
import type { FieldView } from "./field-component";
import { PartContext } from "./form-context";

const KeyRows = dynamic(() => import("./late-fields/key-rows").then((module) => module.KeyRows), {
  ssr: false,
});

interface GroupFieldsProps extends FieldView<"group", JsonObject> {
  value: JsonObject;
}

/** The keys of an object, one below the other. Keys that the schema does not have stay unchanged. */
export function GroupFields({ field, value, onChange, pointer }: GroupFieldsProps) {
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
          name={`${field.title}: further keys`}
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
