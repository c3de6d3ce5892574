import { expect, it } from "vitest";
import { createCatalog } from "#gateway/catalog/load.ts";
import { keyPlaces } from "./key-offsets.ts";
import { planForm } from "./plan-form.ts";
import { unknownKeys } from "./unknown-keys.ts";

const { data: models } = createCatalog().list({});

function found(id: string, value: Record<string, unknown>) {
  const model = models.find((each) => each.id === `svc/${id}`);
  const [operation] = model?.operations ?? [];
  if (!model || !operation) throw new Error(`no ${id}`);
  return unknownKeys(value, operation, planForm(model, operation)).map(({ path, meant }) => [
    path.join("."),
    meant,
  ]);
}

it("names the key that was probably meant, also inside objects, lists and messages", () => {
  expect(found("vid-t2v", { promt: "a pine", durations: 5 })).toEqual([
    ["promt", "prompt"],
    ["durations", "duration"],
  ]);
  expect(
    found("adult-i2v-3", {
      loras: [
        { url: "u", scal: 1 },
        { url: "u", weight: 1 },
      ],
    }),
  ).toEqual([
    ["loras.0.scal", "scale"],
    ["loras.1.weight", null],
  ]);
  expect(found("chat-1", { messages: [{ role: "user", contents: "x" }] })).toEqual([
    ["messages.0.contents", "content"],
  ]);
});

it("takes no name that is there already, and lets be what is like nothing", () => {
  expect(found("vid-t2v", { prompt: "a pine", promt: "a fir", some_future_field: 1 })).toEqual([]);
});

it("has nothing to say of the examples of all operations", () => {
  for (const model of models)
    for (const operation of model.operations)
      expect(unknownKeys(operation.example, operation, planForm(model, operation)), operation.id).toEqual([]);
});

it("looks at a bounded part of a large draft", () => {
  const messages = Array.from({ length: 200_000 }, () => ({ role: "user", contents: "x" }));
  expect(found("chat-1", { messages })).toHaveLength(20);
  const strange = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`some_field_${at}`, at]));
  expect(found("vid-t2v", strange)).toEqual([]);
});

it("finds keys in the text, of two the one that counts", () => {
  const text = '{ "a": "\\"b\\": {", "b": [1, {"c": 1}, {"c": 2, "d\\u00e9": 3}], "a": 1 }';
  const places = keyPlaces(text, [["a"], ["b", 1, "c"], ["b", 2, "dé"], ["x"]]);
  expect(places.map((place) => place && text.slice(place.start, place.end))).toEqual([
    '"a"',
    '"c"',
    '"d\\u00e9"',
    null,
  ]);
  expect(places[0]?.start).toBe(text.lastIndexOf('"a"'));
});
