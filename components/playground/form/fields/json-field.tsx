"use client";

import { useContext, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/form/input";
import { isObject } from "@/lib/schema-form/json";
import { FieldFrame, type FieldView, fieldComponent } from "../field-frame.tsx";
import { FormContext } from "../form-context.tsx";

interface JsonEditorProps extends FieldView<"json", unknown> {
  /** Returns to the controls of this part. */
  onForm?: () => void;
}

/** A value of any shape, as JSON. Invalid text stays in the field and blocks the run. */
export function JsonEditor({ field, value, onChange, problem, onForm, ...rest }: JsonEditorProps) {
  const shown = value === undefined ? "" : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ text: string; of: string } | null>(null);
  const text = typed && typed.of === shown ? typed.text : shown;
  const box = useRef<HTMLTextAreaElement>(null);
  const fault = useFault(text, field.shape, rest.pointer);

  const type = (next: string) => {
    const read = next.trim() === "" ? undefined : parsed(next);
    const readable = wrongShape(next, field.shape) === null;
    setTyped({
      text: next,
      of: readable && read !== undefined ? JSON.stringify(read, null, 2) : readable ? "" : shown,
    });
    if (readable) onChange(read);
  };
  const goToFault = () => {
    if (!fault?.offset) return;
    box.current?.focus();
    box.current?.setSelectionRange(fault.offset, fault.offset + 1);
  };

  return (
    <FieldFrame
      field={field}
      {...rest}
      problem={fault?.message ?? problem}
      aside={
        onForm && (
          <Button size="sm" variant="ghost" disabled={fault !== null} onClick={onForm}>
            Edit as form
          </Button>
        )
      }
    >
      {(aria) => (
        <>
          <Textarea
            {...aria}
            ref={box}
            value={text}
            rows={Math.min(12, Math.max(3, text.split("\n").length))}
            spellCheck={false}
            placeholder={field.shape === "array" ? "[ ]" : '{ "key": "value" }'}
            onChange={(event) => type(event.target.value)}
            className="resize-y font-mono text-table"
          />
          {fault && fault.offset !== null && (
            <button type="button" className="self-start text-meta underline" onClick={goToFault}>
              {placeOf(text, fault.offset)}
            </button>
          )}
        </>
      )}
    </FieldFrame>
  );
}

export const JsonField = fieldComponent<"json", unknown>(JsonEditor);

interface Fault {
  message: string;
  /** The position of the first JSON fault. Null if the text is JSON of the wrong shape. */
  offset: number | null;
}

/** The fault in the text. It is reported to the page, so that no older value is sent instead. */
function useFault(text: string, shape: "object" | "array" | "any", pointer: string): Fault | null {
  const { onUnreadable } = useContext(FormContext);
  const message = wrongShape(text, shape);
  const isJson = message === null || parsed(text) !== undefined;
  const [found, setFound] = useState<{ text: string; fault: Fault } | null>(null);
  useEffect(() => {
    if (isJson) return;
    let wanted = true;
    // Loaded with the first fault, because most people never make one.
    void import("@/lib/schema-form/json-fault").then(({ findJsonFault }) => {
      if (wanted) setFound({ text, fault: findJsonFault(text) });
    });
    return () => {
      wanted = false;
    };
  }, [text, isJson]);
  const exact = found?.text === text && !isJson ? found.fault : null;
  const shownMessage = exact?.message ?? message;
  useEffect(
    () => (shownMessage ? onUnreadable(pointer, shownMessage) : undefined),
    [shownMessage, pointer, onUnreadable],
  );
  return shownMessage === null ? null : { message: shownMessage, offset: exact?.offset ?? null };
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function wrongShape(text: string, shape: "object" | "array" | "any"): string | null {
  if (text.trim() === "") return null;
  const value = parsed(text);
  if (value === undefined) return "Complete the JSON.";
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
