"use client";

import { Plus } from "lucide-react";
import { useContext } from "react";
import { Button } from "@/components/ui/button";
import { moved } from "@/lib/schema-form/messages";
import { startValue } from "@/lib/schema-form/plan";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { PartContext } from "../form-context";
import { ItemFrame } from "../item-frame";
import { useJsonView } from "../json-view";
import { Removed, useRemoved } from "../removed";

/** A list of items with controls (objects, numbers, choices, lists), or the positions of a tuple. */
export const ItemsField = fieldComponent<"items", unknown[]>((view) => {
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
              {`Add ${itemTitle === itemTitle.toUpperCase() || itemTitle === "LoRA" ? itemTitle : itemTitle.toLowerCase()}`}
            </Button>
          )}
        </>
      )}
    </FieldFrame>
  );
});

const nested = new Set(["group", "items", "map", "union", "json"]);

function isPlain({ kind }: { kind: string }): boolean {
  return !nested.has(kind);
}
