"use client";

import { Input } from "@/components/ui/form/input";
import type { JsonObject } from "@/lib/schema-form/json";
import { callIds } from "@/lib/schema-form/messages";
import { fieldId } from "@/lib/schema-form/pointer";
import { FieldFrame } from "../field-frame";
import { useProblem } from "../form-context";

interface ToolAnswerProps {
  message: JsonObject;
  /** The messages before it, whose tool calls it can answer. */
  earlier: readonly JsonObject[];
  pointer: string;
  name: string;
  onChange: (message: JsonObject) => void;
}

/** Which tool call a tool's message answers. */
export function ToolAnswer({ message, earlier, pointer, name, onChange }: ToolAnswerProps) {
  const path = `${pointer}/tool_call_id`;
  const problem = useProblem(path);
  const ids = callIds(earlier);
  const list = `${fieldId(path)}-list`;
  return (
    <div className="mt-2 max-w-72">
      <FieldFrame
        field={{ title: `Tool call ID of ${name}`, hint: null, required: true }}
        id={fieldId(path)}
        problem={problem}
      >
        {(aria) => (
          <>
            <Input
              {...aria}
              list={list}
              autoComplete="off"
              value={typeof message.tool_call_id === "string" ? message.tool_call_id : ""}
              onChange={(event) => onChange({ ...message, tool_call_id: event.target.value })}
            />
            <datalist id={list}>
              {ids.map((id) => (
                <option key={id} value={id} />
              ))}
            </datalist>
          </>
        )}
      </FieldFrame>
    </div>
  );
}
