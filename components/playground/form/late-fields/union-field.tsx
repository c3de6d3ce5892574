"use client";

import { useContext, useRef, useState } from "react";
import { useWords } from "#words";
import { Select } from "@/components/ui/form/input";
import { isObject } from "@/lib/schema-form/json";
import { type FieldKind, type PlannedField, startValue } from "@/lib/schema-form/plan";
import { fits } from "@/lib/schema-form/rjsf-form";
import { meantBranch, satisfies } from "@/lib/schema-form/validator";
import { FieldFrame, type FieldOf, fieldComponent } from "../field-frame.tsx";
import { PartContext } from "../form-context.tsx";
import { useJsonView } from "../json-view.tsx";
import { Segments } from "../segments.tsx";

/** A longer row would wrap on a phone. */
const segmentCharacters = 36;

/** Kinds whose own frame would only repeat the name of the shape. */
const composite: ReadonlySet<FieldKind> = new Set(["group", "items", "map", "union"]);

/** A value with several possible shapes: the user first chooses one, then fills in its control. */
export const UnionField = fieldComponent<"union", unknown>((view) => {
  const t = useWords("inputForm");
  const { field, value, onChange, pointer, ...rest } = view;
  const Part = useContext(PartContext);
  const json = useJsonView(view);
  const [chosen, setChosen] = useState<number | null>(null);
  // Restores a shape's value when the user chooses the shape again.
  const held = useRef(new Map<number, unknown>());
  if (json.editor) return json.editor;
  const shape = shapeOf(field, value, chosen);
  if (shape !== null && value !== undefined) held.current.set(shape, value);
  const branch = shape === null ? null : field.branches[shape];
  const choose = (next: number | null) => {
    setChosen(next);
    if (next === null) return onChange(undefined);
    const to = field.branches[next]?.field;
    if (to) onChange(held.current.get(next) ?? carriedOver(value, to));
  };
  const titles = field.branches.map(({ title }) => title);
  const unset = field.required ? null : "default" in field ? t("byDefault") : t("automatic");
  const isShort = [unset ?? "", ...titles].join("xx").length <= segmentCharacters;
  const label = t("kindOfTitle", { title: field.title.toLowerCase() });
  return (
    <FieldFrame field={field} {...rest} group aside={value !== undefined && json.toggle}>
      {() => (
        <>
          {isShort ? (
            <Segments
              label={label}
              options={[
                ...(unset ? [{ value: -1, label: unset }] : []),
                ...titles.map((title, at) => ({ value: at, label: title })),
              ]}
              value={shape ?? (unset ? -1 : undefined)}
              onChange={(at) => choose(at === undefined || at === -1 ? null : at)}
              invalid={rest.problem !== null}
            />
          ) : (
            <Select
              aria-label={label}
              value={shape ?? ""}
              disabled={rest.disabled}
              onChange={(event) => choose(event.target.value === "" ? null : Number(event.target.value))}
            >
              <option value="">{unset ?? t("choose")}</option>
              {titles.map((title, at) => (
                <option key={title} value={at}>
                  {title}
                </option>
              ))}
            </Select>
          )}
          {branch && !isConstant(branch.field) && (
            <div className="border-l-2 pl-3">
              <Part
                key={shape}
                field={branch.field}
                value={value}
                onChange={onChange}
                pointer={pointer}
                bare={composite.has(branch.field.kind)}
              />
            </div>
          )}
        </>
      )}
    </FieldFrame>
  );
});

/** The visible shape: the chosen one if the value fits it, otherwise the shape that the value has. */
function shapeOf(field: FieldOf<"union">, value: unknown, chosen: number | null): number | null {
  const mine = chosen === null ? null : field.branches[chosen];
  if (value === undefined) return mine && !isConstant(mine.field) ? chosen : null;
  if (mine && fits(mine.field, value) && isOwn(mine.field, value)) return chosen;
  const satisfied = field.branches.findIndex((branch) => satisfies(branch.field.schema, value));
  if (satisfied !== -1) return satisfied;
  const meant = meantBranch(
    field.branches.map((branch) => branch.field.schema),
    value,
  );
  if (meant !== null) return meant;
  const fitting = field.branches.findIndex((branch) => fits(branch.field, value));
  return fitting === -1 ? null : fitting;
}

/** Whether an object has the constants of a shape. */
function isOwn(field: PlannedField, value: unknown): boolean {
  if (field.kind !== "group" || !isObject(value)) return true;
  return Object.entries(field.fixed).every(([key, only]) => value[key] === only);
}

function isConstant(field: PlannedField): boolean {
  return field.kind === "choice" && field.values.length === 1;
}

/** Copies the keys that both shapes have. */
function carriedOver(value: unknown, to: PlannedField): unknown {
  const start = startValue(to);
  if (to.kind !== "group" || !isObject(value) || !isObject(start)) return start;
  const shared = to.fields.filter(({ name }) => name in value).map(({ name }) => [name, value[name]]);
  return { ...start, ...Object.fromEntries(shared) };
}
