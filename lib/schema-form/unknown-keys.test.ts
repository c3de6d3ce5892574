import { expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { english } from "@/scripts/testing/english";
import { planForm } from "./plan-form.ts";
import { placeOfKey, renamed, unknownKeys } from "./unknown-keys.ts";

const operations = createCatalog()
  .list({})
  .data.flatMap((model) => model.operations.map((operation) => ({ model, operation })));
const planOf = (id: string) => {
  const found = operations.find(({ operation }) => operation.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return planForm(found.model, found.operation, english("inputForm"));
};

it("names the key that was probably meant, also in objects and lists", () => {
  const plan = planOf("svc/adult-i2v-3:video-generation");
  const loras = plan.fields.find(({ name }) => name.includes("lora"));
  expect(loras?.kind).toBe("items");
  const body = {
    model: "svc/adult-i2v-3",
    promt: "a kite",
    [loras?.name ?? ""]: [{}, { ur: "x", other: 1 }],
  };
  expect(unknownKeys(body, plan)).toMatchObject([
    { segments: [], key: "promt", meant: "prompt" },
    { segments: [loras?.name, 1], key: "ur", meant: "url" },
    { segments: [loras?.name, 1], key: "other", meant: null },
  ]);
});

it("does not suggest a key that is already there, and accepts the keys that every operation has", () => {
  const plan = planOf("svc/img-gen-b:image-generation");
  expect(
    unknownKeys({ prompt: "a", promt: "b", metadata: {}, other: 1 }, plan).map(({ meant }) => meant),
  ).toEqual([null, null]);
});

it("finds no unknown key in any example of the catalog", () => {
  for (const { model, operation } of operations)
    expect(
      unknownKeys(operation.example, planForm(model, operation, english("inputForm"))),
      operation.id,
    ).toEqual([]);
});

it("names at most ten of a million keys, without delay", () => {
  const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key ${at}`, at]));
  expect(unknownKeys(body, planOf("svc/img-gen-b:image-generation"))).toHaveLength(10);
});

it("finds the position of a key in the text, unless the key occurs twice", () => {
  const text = '{"note": "promt", "promt" : 1}';
  const place = placeOfKey(text, "promt");
  expect(text.slice(place?.start, place?.end)).toBe("promt");
  expect(place?.start).toBe(19);
  expect(placeOfKey('[{"a": 1}, {"a": 2}]', "a")).toBeNull();
});

it("renames a key in its place, and no other key of that name", () => {
  const body = { a: [{ b: 1, c: 2 }, { b: 3 }], b: 4 };
  expect(JSON.stringify(renamed(body, ["a", 0], "b", "d"))).toBe('{"a":[{"d":1,"c":2},{"b":3}],"b":4}');
});
