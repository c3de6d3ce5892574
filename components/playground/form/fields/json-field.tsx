"use client";

import { useContext, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/form/input";
import { isObject } from "@/lib/schema-form/json";
import type { Words } from "@/messages/words";
import { FieldFrame, type FieldView, fieldComponent } from "../field-frame.tsx";
import { FormContext } from "../form-context.tsx";

const emptyObject = '{ "key": "value" }';

interface JsonEditorProps extends FieldView<"json", unknown> {
  /** Returns to the controls of this part. */
  onForm?: () => void;
}

/** A value of any shape, as JSON. Invalid text stays in the field and blocks the run. */
export function JsonEditor({ field, value, onChange, problem, onForm, ...rest }: JsonEditorProps) {
  const t = useWords("inputForm");
  const shown = value === undefined ? "" : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ text: string; of: string } | null>(null);
  const text = typed && typed.of === shown ? typed.text : shown;
  const box = useRef<HTMLTextAreaElement>(null);
  const fault = useFault(text, field.shape, rest.pointer);

  const type = (next: string) => {
    const read = next.trim() === "" ? undefined : parsed(next);
    const readable = wrongShape(next, field.shape, t) === null;
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
            {t("editAsForm")}
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
            placeholder={field.shape === "array" ? "[ ]" : emptyObject}
            onChange={(event) => type(event.target.value)}
            className="resize-y font-mono text-table"
          />
          {fault && fault.offset !== null && (
            <button type="button" className="self-start text-meta underline" onClick={goToFault}>
              {t("lineAndColumn", placeOf(text, fault.offset))}
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
  const t = useWords("inputForm");
  const faults = useWords("jsonFault");
  const message = wrongShape(text, shape, t);
  const isJson = message === null || parsed(text) !== undefined;
  const [found, setFound] = useState<{ text: string; fault: Fault } | null>(null);
  useEffect(() => {
    if (isJson) return;
    let wanted = true;
    // Loaded with the first fault, because most people never make one.
    void import("@/lib/schema-form/json-fault").then(({ findJsonFault }) => {
      if (wanted) setFound({ text, fault: findJsonFault(text, faults) });
    });
    return () => {
      wanted = false;
    };
  }, [text, isJson, faults]);
  const exact = found?.text === text && !isJson ? found.fault : null;
  const shownMessage = exact?.message ?? message;
  useEffect(
    () => (shownMessage ? onUnreadable(pointer, shownMessage) : undefined),
    [shownMessage, pointer, onUnreadable],
  );
  return shownMessage === null ? null : { message: shownMessage, offset: exact?.offset ?? null };
}

/** Line and column of a position, from 1. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function wrongShape(text: string, shape: "object" | "array" | "any", t: Words<"inputForm">): string | null {
  if (text.trim() === "") return null;
  const value = parsed(text);
  if (value === undefined) return t("completeTheJson");
  if (shape === "object" && !isObject(value)) return t("writeAnObject", { example: '{"key": "value"}' });
  if (shape === "array" && !Array.isArray(value)) return t("writeAList", { example: '["one", "two"]' });
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
