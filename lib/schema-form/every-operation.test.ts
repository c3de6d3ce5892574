import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { english } from "../../scripts/testing/english.ts";
import { confirmationKey, exampleDraft, mergeForm, readDraft, toRequest, writeDraft } from "./draft.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { PlannedField } from "./plan.ts";
import { planForm } from "./plan-form.ts";
import { fits, rjsfForm } from "./rjsf-form.ts";
import { problemsOf } from "./validator.ts";

const words = english("inputForm");

const operations = createCatalog()
  .list()
  .data.flatMap((model) => model.operations.map((operation) => ({ model, operation, name: operation.id })));

/** The labels of a field and of its parts, by their path. A text and an object of one name are two parameters. */
function labelsOf(field: PlannedField, above = ""): [path: string, label: string][] {
  const path = `${above}${field.name}`;
  const parts =
    field.kind === "group"
      ? field.fields
      : field.kind === "items"
        ? [...field.first, ...(field.item ? [field.item] : [])]
        : [];
  return [
    [field.kind === "json" ? `${path} (json)` : path, field.title],
    ...parts.flatMap((part) => labelsOf(part, `${path}.`)),
  ];
}

it("gives a parameter the same label at every operation", () => {
  const labels = new Map<string, Set<string>>();
  for (const { model, operation } of operations)
    for (const [path, label] of planForm(model, operation, words).fields.flatMap((field) => labelsOf(field)))
      labels.set(path, (labels.get(path) ?? new Set()).add(label));
  expect([...labels].filter(([, { size }]) => size > 1).map(([path, each]) => [path, ...each])).toEqual([]);
});

const anyBody = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

it("covers the 34 operations of the catalog", () => {
  expect(operations).toHaveLength(34);
});

describe.each(operations)("$name", ({ model, operation }) => {
  const plan = planForm(model, operation, words);
  const names = plan.fields.map((field) => field.name);

  it("plans a field for every key that the schema lists, requires or shows in its example", () => {
    const { properties, required } = operation.input_schema;
    const keys = new Set([
      ...Object.keys(isObject(properties) ? properties : {}),
      ...(Array.isArray(required) ? required.map(String) : []),
      ...Object.keys(operation.example),
    ]);
    const planned = new Set([...names, ...Object.keys(plan.fixed), ...plan.hidden]);
    expect([...keys].filter((key) => !planned.has(key))).toEqual([]);
  });

  it("never makes the model editable", () => {
    expect(names).not.toContain("model");
    expect(toRequest({ model: "svc/other" }, plan).model).toBe(model.id);
  });

  it("shows its example in form controls, without falling back to JSON", () => {
    const { value } = exampleDraft(plan, operation.example);
    for (const field of plan.fields)
      expect([field.name, fits(field, value?.[field.name])]).toEqual([field.name, true]);
  });

  it("starts with an example that is valid, except for the confirmation that each run needs", () => {
    const body = toRequest(exampleDraft(plan, operation.example).value ?? {}, plan);
    const asks = names.includes(confirmationKey);
    expect(confirmationKey in body).toBe(false);
    expect(problemsOf(body, operation, plan, words).map(({ path }) => path)).toEqual(
      asks ? [`/${confirmationKey}`] : [],
    );
    expect(problemsOf({ ...operation.example }, operation, plan, words)).toEqual([]);
  });

  it("gives rjsf a schema that adds nothing to the draft", () => {
    const { schema } = rjsfForm(plan, {});
    expect(JSON.stringify(schema)).not.toMatch(/"(default|const|oneOf|anyOf)"/);
  });

  it("names each missing required field", () => {
    const required = (operation.input_schema.required as string[]).filter((name) => name !== "model");
    const paths = problemsOf(toRequest({}, plan), operation, plan, words).map(({ path }) => path);
    expect(paths.sort()).toEqual(required.map((name) => `/${name}`).sort());
  });

  it("keeps every key when JSON is shown in the form and converted back", () => {
    fc.assert(
      fc.property(anyBody, anyBody, (body, edits) => {
        const value = { ...body, ...operation.example };
        const form = Object.fromEntries(names.map((name) => [name, edits[name] ?? value[name]]));
        const merged = mergeForm(value, form, plan);
        const reread = readDraft(writeDraft(merged).text).value;
        expect(new Set(Object.keys(reread ?? {}))).toEqual(new Set(Object.keys(value)));
        for (const key of Object.keys(value))
          if (!names.includes(key)) expect(merged[key]).toEqual(value[key]);
      }),
      { numRuns: 30 },
    );
  });
});
