"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { placeBeside } from "../anchored-position.ts";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";
import { type LabelledProps, splitField } from "./input-fields.tsx";

export interface ComboboxOption {
  value: string;
  /** Shown instead of the value. */
  label?: string;
  hint?: string;
}

interface ComboboxFieldProps extends Omit<LabelledProps, "onValue"> {
  value: string;
  /** The user may type any text; the options are suggestions. */
  onValue: (value: string) => void;
  /** Handles a chosen option, instead of copying its value into the text. Enter chooses the first one. */
  onPick?: (value: string) => void;
  options: readonly ComboboxOption[];
  /** Shown below the options: that they are loading, or why there are none. */
  note?: ReactNode;
  placeholder?: string;
}

/** A field for a text, with suggestions while the user types. */
export function ComboboxField({ value, onValue, onPick, options, note, ...props }: ComboboxFieldProps) {
  const t = useWords("ui");
  const { field, control } = splitField(props);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = open && (options.length > 0 || Boolean(note));

  useEffect(() => {
    const popover = list.current;
    const anchor = input.current;
    if (!popover || !anchor) return;
    popover.togglePopover(shown);
    if (!shown) return;
    popover.style.width = `${anchor.offsetWidth}px`;
    placeBeside(anchor, popover, "start");
  }, [shown]);

  useEffect(() => {
    if (active >= 0)
      list.current?.querySelectorAll("[role=option]")[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (option: ComboboxOption) => {
    (onPick ?? onValue)(option.value);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = options[active] ?? (onPick && value.trim() ? options[0] : undefined);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      setOpen(true);
      setActive((active + step + options.length + 1) % (options.length + 1));
    } else if (event.key === "Enter" && shown && chosen) choose(chosen);
    else if (event.key === "Escape" && shown) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Field {...field}>
      {(aria) => (
        <>
          <Input
            {...aria}
            {...control}
            ref={input}
            role="combobox"
            aria-expanded={shown}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={
              shown && active >= 0 && active < options.length ? `${listId}-${active}` : undefined
            }
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => {
              onValue(event.currentTarget.value);
              setOpen(true);
              setActive(-1);
            }}
            onFocus={() => setOpen(true)}
            onClick={() => setOpen(true)}
            onBlur={close}
            onKeyDown={onKeyDown}
          />
          <div
            ref={list}
            popover="manual"
            className="fixed inset-auto m-0 max-h-64 overflow-y-auto rounded-panel border bg-raised p-1 text-ink shadow-float"
          >
            <div id={listId} role="listbox" aria-label={t("suggestions")}>
              {options.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which keeps the focus.
                // biome-ignore lint/a11y/useFocusableInteractive: the field points at it by aria-activedescendant.
                <div
                  key={option.value}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  className="cursor-pointer rounded-[6px] px-2 py-1 text-table hover:bg-sunken aria-selected:bg-accent-soft"
                  // Keeps the focus in the field: losing it would close the list before the click.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(option)}
                >
                  <span className="block wrap-anywhere">{option.label ?? option.value}</span>
                  {option.hint && (
                    <span className="block text-meta text-muted wrap-anywhere">{option.hint}</span>
                  )}
                </div>
              ))}
            </div>
            {note && <p className="px-2 py-1 text-meta text-muted">{note}</p>}
          </div>
        </>
      )}
    </Field>
  );
}
