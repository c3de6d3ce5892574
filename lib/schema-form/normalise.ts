import type { CatalogModel, CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { type ControlContext, controlOf, onlyValue } from "./field-control.ts";
import { propertiesOf } from "./infer-schema.ts";
import { isObject, stringsOf } from "./json.ts";
import { hintOf, titleOf } from "./labels.ts";
import type { FieldKind, FormPlan, PlannedField } from "./plan.ts";

/** The fields that come first; the confirmation is last, next to the Run button. */
const weights: Record<FieldKind, number> = {
  messages: 0,
  prompt: 1,
  media: 2,
  "media-list": 2,
  items: 3,
  text: 4,
  choice: 4,
  "smart-duration": 4,
  range: 5,
  number: 5,
  "yes-no": 6,
  seed: 7,
  strings: 7,
  region: 8,
  json: 9,
  confirm: 10,
};

/** Choices that decide the meaning of the other fields. */
const leading = new Set(["action", "mode"]);

/**
 * Turns an operation of the catalog into the plan of its form. Every key that the body can carry is planned, fixed or
 * hidden, so no schema of the catalog (nor an unknown one) leaves a key that cannot be filled in.
 */
export function planForm(model: CatalogModel, operation: CatalogOperation): FormPlan {
  const required = new Set(stringsOf(operation.input_schema.required));
  const fixed: Record<string, unknown> = { model: model.id };
  const hidden: string[] = [];
  const fields: PlannedField[] = [];
  const context: ControlContext = { model, operation, planItem: (items) => itemFields(items, context) };
  for (const { name, published, drawn } of propertiesOf(operation)) {
    if (name === "model") continue;
    // A single region is still a choice, because it can be left out.
    const value = name === "region" ? undefined : onlyValue(published);
    if (value === undefined)
      fields.push(plannedField(name, drawn, published, required.has(name), context, published !== drawn));
    else if (required.has(name)) fixed[name] = value;
    else hidden.push(name);
  }
  return { modelId: model.id, fields: fields.sort(inOrder), fixed, hidden };
}

function plannedField(
  name: string,
  drawn: JsonSchema,
  published: JsonSchema,
  required: boolean,
  context: ControlContext,
  inferred: boolean,
): PlannedField {
  const control = controlOf(name, drawn, context);
  return {
    ...control,
    name,
    title: titleOf(name, drawn),
    hint: hintOf(name, drawn),
    required,
    schema: published,
    inferred,
    ...("default" in drawn && { default: drawn.default }),
    advanced: !required && isAdvanced(control.kind, name),
  };
}

function itemFields(items: JsonSchema, context: ControlContext): PlannedField[] {
  const properties = isObject(items.properties) ? items.properties : {};
  const required = new Set(stringsOf(items.required));
  return Object.entries(properties).map(([name, schema]) => {
    const drawn = isObject(schema) ? schema : {};
    return { ...plannedField(name, drawn, drawn, required.has(name), context, false), advanced: false };
  });
}

function isAdvanced(kind: FieldKind, name: string): boolean {
  return kind === "json" || kind === "strings" || name.endsWith("loras");
}

function inOrder(first: PlannedField, second: PlannedField): number {
  return rank(first) - rank(second);
}

function rank(field: PlannedField): number {
  if (leading.has(field.name)) return -1;
  const optional = field.required ? 0 : 0.5;
  return weights[field.kind] + optional + (field.name === "negative_prompt" ? 1 : 0);
}
