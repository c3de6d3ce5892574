import { expect, it } from "vitest";
import type { OperatorModel } from "#contract/operator/models.ts";
import { draftOf, unreadable, updateOf } from "./entry-draft.ts";

const operation = {
  billing_unit: "generation",
  execution_mode: "async",
  input_schema: { type: "object" },
  limits: {},
  example: { prompt: "a heron" },
  fields: { prompt: "prompt", media: { image: "image" }, output: null },
};
const model = {
  display_name: null,
  description: "Pictures",
  cover_url: null,
  regions: ["us-virginia"],
  safety_requirements: { adult_attestation_required: false },
} as unknown as OperatorModel;
const before = draftOf(model, operation as unknown as OperatorModel["operations"][number]);

it("sends the changed fields and nothing else", () => {
  expect(updateOf(before, before)).toEqual({});
  const changed = {
    ...before,
    description: " ",
    schema: '{"type":"object","properties":{}}',
    output: "images",
  };
  expect(updateOf(changed, before)).toEqual({
    description: null,
    input_schema: { type: "object", properties: {} },
    fields: { prompt: "prompt", output: "images", media: { image: "image" } },
  });
});

it("names the fields whose JSON is invalid", () => {
  expect(unreadable(before)).toEqual([]);
  expect(unreadable({ ...before, limits: "{", example: "[]" })).toEqual(["example", "limits"]);
});
