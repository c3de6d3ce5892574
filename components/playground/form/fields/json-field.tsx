"use client";

import { useState } from "react";
import { Textarea } from "@/components/ui/input";
import { isObject } from "@/lib/schema-form/json";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";

/** A value of free shape, as JSON. What cannot be read yet stays in the box and is not sent. */
export const JsonField = fieldComponent<"json", unknown>(({ field, value, onChange, problem, ...rest }) => {
  const shown = value === undefined ? "" : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ text: string; of: string } | null>(null);
  const text = typed && typed.of === shown ? typed.text : shown;
  const fault = faultOf(text, field.shape);

  const type = (next: string) => {
    const read = next.trim() === "" ? undefined : parsed(next);
    const readable = faultOf(next, field.shape) === null;
    setTyped({
      text: next,
      of: readable && read !== undefined ? JSON.stringify(read, null, 2) : readable ? "" : shown,
    });
    if (readable) onChange(read);
  };

  return (
    <FieldFrame field={field} {...rest} problem={fault ?? problem}>
      {(aria) => (
        <Textarea
          {...aria}
          value={text}
          rows={Math.min(12, Math.max(3, text.split("\n").length))}
          spellCheck={false}
          placeholder={field.shape === "array" ? "[ ]" : '{ "key": "value" }'}
          onChange={(event) => type(event.target.value)}
          className="resize-y font-mono text-table"
        />
      )}
    </FieldFrame>
  );
});

function faultOf(text: string, shape: "object" | "array" | "any"): string | null {
  if (text.trim() === "") return null;
  const value = parsed(text);
  if (value === undefined) return "Complete the JSON. Until then, the last valid value is used.";
  if (shape === "object" && !isObject(value)) return 'Write an object, for example {"key": "value"}.';
  if (shape === "array" && !Array.isArray(value)) return 'Write a list, for example ["one", "two"].';
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
