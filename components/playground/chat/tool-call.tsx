"use client";

import { Wrench } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Field } from "@/components/ui/form/field";
import { Textarea } from "@/components/ui/form/input";
import { isObject, type JsonObject } from "@/lib/schema-form/json";

interface ToolCallProps {
  call: JsonObject;
  result?: string;
  /** True when the result is still missing. */
  isOpen?: boolean;
  busy?: boolean;
  onResult?: (text: string) => void;
  onSend?: () => void;
}

/** A function call of the model with its result, or a field to type the result. */
export function ToolCall({ call, result = "", isOpen = false, busy, onResult, onSend }: ToolCallProps) {
  const called = isObject(call.function) ? call.function : {};
  const name = String(called.name ?? "");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    onSend?.();
  };
  return (
    <section aria-label={`Call of ${name}`} className="flex min-w-0 flex-col gap-2 rounded-panel border p-3">
      <p className="flex min-w-0 items-center gap-2 font-mono text-table font-medium wrap-anywhere">
        <Wrench size={14} aria-hidden className="shrink-0 text-muted" />
        {name}
      </p>
      <CodeBlock language="json" code={readable(called.arguments)} label={`Arguments of ${name}`} wrap />
      {isOpen ? (
        <>
          <Field label={`Result of ${name}`} hint="The function's return value, as text or JSON.">
            {(aria) => (
              <Textarea
                {...aria}
                rows={3}
                spellCheck={false}
                value={result}
                disabled={busy}
                onChange={(event) => onResult?.(event.target.value)}
                onKeyDown={onKeyDown}
                className="font-mono text-table"
              />
            )}
          </Field>
          <Permitted to="operations:run">
            <Button size="sm" className="self-start" disabled={busy} onClick={onSend}>
              Send the result
            </Button>
          </Permitted>
        </>
      ) : (
        result && <CodeBlock language="json" code={readable(result)} label={`Result of ${name}`} wrap />
      )}
    </section>
  );
}

/** Indents JSON. Any other text stays unchanged. */
function readable(text: unknown): string {
  if (typeof text !== "string") return "";
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
