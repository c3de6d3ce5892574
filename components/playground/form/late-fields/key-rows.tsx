"use client";

import { Plus, X } from "lucide-react";
import { useContext, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { type PlannedField, startValue } from "@/lib/schema-form/plan";
import { fieldId, pointerOf } from "@/lib/schema-form/pointers";
import { FormContext, PartContext, useFormDisabled } from "../form-context.tsx";
import { Removed, useRemoved } from "../removed.tsx";

type Entries = readonly (readonly [string, unknown])[];

interface KeyRowsProps {
  name: string;
  /** The control for each key's value. */
  field: PlannedField;
  entries: Entries;
  /** Keys that have a control elsewhere. */
  taken: ReadonlySet<string>;
  max: number | null;
  pointer: string;
  onChange: (entries: Entries) => void;
}

/** Freely chosen keys with their values. */
export function KeyRows({ name, field, entries, taken, max, pointer, onChange }: KeyRowsProps) {
  const t = useWords("inputForm");
  const Part = useContext(PartContext);
  const disabled = useFormDisabled();
  const removed = useRemoved<Entries>();
  const list = useRef<HTMLDivElement>(null);
  const used = (key: string) => taken.has(key) || entries.some(([other]) => other === key);
  const replace = (at: number, entry: readonly [string, unknown]) =>
    onChange(entries.map((each, index) => (index === at ? entry : each)));
  const add = () => {
    let key = "key";
    for (let number = 2; used(key); number += 1) key = `key_${number}`;
    onChange([...entries, [key, startValue(field) ?? null]]);
    requestAnimationFrame(() => {
      const inputs = list.current?.querySelectorAll<HTMLInputElement>("input[data-key]");
      inputs?.[inputs.length - 1]?.select();
    });
  };
  return (
    <div ref={list} className="flex min-w-0 flex-col gap-2">
      {entries.map(([key, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the key is being typed
        <fieldset key={at} className="min-w-0 rounded-control border p-3">
          <legend className="sr-only">{`${name} ${at + 1}`}</legend>
          <div className="mb-2 flex items-start gap-1">
            <KeyInput
              text={key}
              label={t("keyNumber", { number: at + 1 })}
              pointer={pointer + pointerOf([key, ""])}
              isUsed={used}
              onText={(next) => replace(at, [next, value])}
            />
            <IconButton
              size="sm"
              label={t("removeName", { name: key })}
              icon={<X size={14} aria-hidden />}
              disabled={disabled}
              onClick={() => {
                removed.keep(key, entries);
                onChange(entries.filter((_, index) => index !== at));
              }}
            />
          </div>
          <Part
            field={{ ...field, title: t("value") }}
            value={value}
            onChange={(next) => replace(at, [key, next ?? null])}
            pointer={pointer + pointerOf([key])}
          />
        </fieldset>
      ))}
      <Removed {...removed} onRestore={onChange} />
      {(max === null || entries.length < max) && (
        <Button
          size="sm"
          className="self-start"
          icon={<Plus size={14} aria-hidden />}
          disabled={disabled}
          onClick={add}
        >
          {t("addKey")}
        </Button>
      )}
    </div>
  );
}

interface KeyInputProps {
  text: string;
  label: string;
  pointer: string;
  isUsed: (key: string) => boolean;
  onText: (text: string) => void;
}

/**
 * The field for a key's name. A typed name that another key already has is not applied until it is changed.
 */
function KeyInput({ text, label, pointer, isUsed, onText }: KeyInputProps) {
  const t = useWords("inputForm");
  const { disabled, onUnreadable } = useContext(FormContext);
  const [typed, setTyped] = useState<string | null>(null);
  const waits = typed !== null && typed !== text;
  const problem = waits ? t("enterAKeyThatIs") : null;
  useEffect(() => (problem ? onUnreadable(pointer, problem) : undefined), [problem, pointer, onUnreadable]);
  const type = (next: string) => {
    const free = next !== "" && !(next in Object.prototype) && (next === text || !isUsed(next));
    setTyped(free ? null : next);
    if (free) onText(next);
  };
  return (
    <div className="min-w-0 flex-1">
      <Input
        id={fieldId(pointer)}
        data-key
        aria-label={label}
        aria-invalid={waits || undefined}
        value={typed ?? text}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
        className="font-mono text-table"
      />
      {problem && <p className="mt-1 text-meta font-medium text-bad">{problem}</p>}
    </div>
  );
}
