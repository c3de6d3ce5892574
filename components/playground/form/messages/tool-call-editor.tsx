"use client";

import { X } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { Input, Textarea } from "@/components/ui/form/input";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { fieldId } from "@/lib/schema-form/pointer";
import { FieldFrame } from "../field-frame";
import { useProblem } from "../form-context";

interface ToolCallEditorProps {
  call: JsonObject;
  name: string;
  pointer: string;
  onChange: (call: JsonObject) => void;
  onRemove: () => void;
}

const asText = (value: unknown) => (typeof value === "string" ? value : "");

/** A function that the model asked for: its id, name and arguments. */
export function ToolCallEditor({ call, name, pointer, onChange, onRemove }: ToolCallEditorProps) {
  const called = isObject(call.function) ? call.function : {};
  const parts = {
    id: `${pointer}/id`,
    name: `${pointer}/function/name`,
    arguments: `${pointer}/function/arguments`,
  };
  const problems = {
    id: useProblem(parts.id),
    name: useProblem(parts.name),
    arguments: useProblem(parts.arguments),
  };
  const field = (title: string) => ({ title, hint: null, required: true });
  return (
    <fieldset className="min-w-0 rounded-control bg-sunken p-2.5">
      <legend className="sr-only">{name}</legend>
      <div className="grid grid-cols-1 items-start gap-2 sm:grid-cols-[1fr_1fr_auto]">
        <FieldFrame field={field("Function name")} id={fieldId(parts.name)} problem={problems.name}>
          {(aria) => (
            <Input
              {...aria}
              value={asText(called.name)}
              autoComplete="off"
              onChange={(event) => onChange({ ...call, function: { ...called, name: event.target.value } })}
            />
          )}
        </FieldFrame>
        <FieldFrame field={field("Tool call ID")} id={fieldId(parts.id)} problem={problems.id}>
          {(aria) => (
            <Input
              {...aria}
              value={asText(call.id)}
              autoComplete="off"
              onChange={(event) => onChange({ ...call, id: event.target.value })}
            />
          )}
        </FieldFrame>
        <IconButton
          label={`Remove ${name}`}
          icon={<X size={16} aria-hidden />}
          onClick={onRemove}
          className="sm:mt-6"
        />
      </div>
      <div className="mt-2">
        <FieldFrame
          field={field("Arguments (JSON)")}
          id={fieldId(parts.arguments)}
          problem={problems.arguments}
        >
          {(aria) => (
            <Textarea
              {...aria}
              rows={2}
              spellCheck={false}
              value={asText(called.arguments)}
              onChange={(event) =>
                onChange({ ...call, function: { ...called, arguments: event.target.value } })
              }
              className="font-mono text-table"
            />
          )}
        </FieldFrame>
      </div>
    </fieldset>
  );
}
