"use client";

import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { type ReactNode, useContext } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { moved } from "@/lib/schema-form/messages";
import { startValue } from "@/lib/schema-form/plan";
import { FieldFrame, fieldComponent } from "../field-frame.tsx";
import { PartContext } from "../form-context.tsx";
import { useJsonView } from "../json-view.tsx";
import { Removed, useRemoved } from "../removed.tsx";

/** A list of items with controls (objects, numbers, choices, lists), or the positions of a tuple. */
export const ItemsField = fieldComponent<"items", unknown[]>((view) => {
  const t = useWords("inputForm");
  const { field, value = [], onChange, pointer, ...rest } = view;
  const Part = useContext(PartContext);
  const removed = useRemoved<unknown[]>();
  const json = useJsonView(view);
  if (json.editor) return json.editor;
  const { first, item, itemTitle } = field;
  const change = (next: unknown[]) => onChange(next);
  // All positions of a tuple are visible, even empty ones.
  const shown = [...value, ...first.slice(value.length).map(() => undefined)];
  const set = (at: number, entry: unknown) =>
    change(shown.map((each, index) => (index === at ? entry : each) ?? null));
  const move = (at: number, step: number) => change(moved(value, at, step));
  const remove = (at: number) => {
    removed.keep(`${itemTitle} ${at + 1}`, value);
    change(value.filter((_, index) => index !== at));
  };
  const isSimple = first.length === 0 && item?.kind === "group" && item.fields.every(isPlain);
  return (
    <FieldFrame field={field} {...rest} group aside={!isSimple && value.length > 0 && json.toggle}>
      {() => (
        <>
          {shown.map((entry, at) => {
            const position = first[at];
            const part = position ?? item;
            const inside = `${pointer}/${at}`;
            if (!part) return null;
            const drawn = { value: entry, pointer: inside, onChange: (next: unknown) => set(at, next) };
            if (position) return <Part key={inside} {...drawn} field={position} />;
            const name = `${itemTitle} ${at + 1}`;
            const boxed = !isPlain(part) && part.kind !== "json";
            return (
              <ItemFrame
                key={inside}
                name={name}
                boxed={boxed}
                onUp={at > first.length ? () => move(at, -1) : null}
                onDown={at < shown.length - 1 ? () => move(at, 1) : null}
                onRemove={() => remove(at)}
              >
                <Part {...drawn} field={{ ...part, title: name }} bare={boxed} />
              </ItemFrame>
            );
          })}
          <Removed {...removed} onRestore={change} />
          {item && (field.max === null || shown.length < field.max) && (
            <Button
              size="sm"
              className="self-start"
              icon={<Plus size={14} aria-hidden />}
              onClick={() => {
                removed.forget();
                change([...shown.map((each) => each ?? null), startValue(item) ?? null]);
              }}
            >
              {t("addTitle", { title: isAcronym(itemTitle) ? itemTitle : itemTitle.toLowerCase() })}
            </Button>
          )}
        </>
      )}
    </FieldFrame>
  );
});

const isAcronym = (title: string) => title === title.toUpperCase() || title === "LoRA";

interface ItemFrameProps {
  name: string;
  /**
   * True: the item gets a box with its name. False: the control shows its own name, with the buttons beside
   * it.
   */
  boxed: boolean;
  onUp: (() => void) | null;
  onDown: (() => void) | null;
  onRemove: () => void;
  children: ReactNode;
}

/** An item of a list with its actions. */
function ItemFrame({ name, boxed, onUp, onDown, onRemove, children }: ItemFrameProps) {
  const t = useWords("inputForm");
  const actions = (
    <>
      {onUp && (
        <IconButton
          size="sm"
          label={t("moveNameUp", { name })}
          icon={<ArrowUp size={14} aria-hidden />}
          onClick={onUp}
        />
      )}
      {onDown && (
        <IconButton
          size="sm"
          label={t("moveNameDown", { name })}
          icon={<ArrowDown size={14} aria-hidden />}
          onClick={onDown}
        />
      )}
      <IconButton
        size="sm"
        label={t("removeName", { name })}
        icon={<X size={14} aria-hidden />}
        onClick={onRemove}
      />
    </>
  );
  if (!boxed)
    return (
      <div className="flex min-w-0 items-start gap-1">
        <div className="min-w-0 flex-1">{children}</div>
        <div className="mt-5 flex">{actions}</div>
      </div>
    );
  return (
    <fieldset className="min-w-0 rounded-control border p-3">
      <legend className="sr-only">{name}</legend>
      <div className="mb-2 flex items-center gap-1">
        <span aria-hidden className="flex-1 text-table font-medium">
          {name}
        </span>
        {actions}
      </div>
      {children}
    </fieldset>
  );
}

const nested = new Set(["group", "items", "map", "union", "json"]);

function isPlain({ kind }: { kind: string }): boolean {
  return !nested.has(kind);
}
