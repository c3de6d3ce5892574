import { expect, it } from "vitest";
import { compiledPart } from "@/messages/compile";
import { wordsOf } from "@/messages/words";
import { english } from "@/scripts/testing/english";
import { schemaRows } from "./schema-table.tsx";

const t = english("catalog");

it("lists required properties first, with their limits in words", () => {
  const rows = schemaRows(
    {
      required: ["image", "duration"],
      properties: {
        seed: { type: "integer", minimum: 0, maximum: 2147483647 },
        image: { type: "array", minItems: 2, maxItems: 2, items: { type: "string" } },
        duration: { oneOf: [{ const: -1 }, { type: "integer", minimum: 2, maximum: 30 }] },
        ratio: { type: "string", enum: ["16:9", "9:16"], default: "16:9" },
      },
    },
    t,
  );
  expect(rows.map(({ name, required, type, bounds }) => [name, required, type, bounds])).toEqual([
    ["image", true, "array of string", "exactly 2 items"],
    ["duration", true, "number or integer", "exactly -1 or 2..30"],
    ["seed", false, "integer", "0..2147483647"],
    ["ratio", false, "string", '"16:9", "9:16"; default "16:9"'],
  ]);
});

it("keeps a required property for which the schema has no shape", () => {
  expect(schemaRows({ required: ["media"] }, t)).toMatchObject([
    { name: "media", required: true, type: "any" },
  ]);
});

it("joins Chinese words without spaces", () => {
  const zh = wordsOf<"catalog">(compiledPart("zh-CN", "catalog"), "zh-CN", "UTC");
  const items = (count: number) => ({ type: "array", minItems: count, maxItems: count });
  const [image] = schemaRows({ properties: { image: { oneOf: [items(1), items(2)] } } }, zh);
  expect(image?.bounds).toMatch(/\d 项或/);
  const [duration] = schemaRows({ properties: { duration: { oneOf: [{ const: -1 }, { minimum: 2 }] } } }, zh);
  expect(duration?.bounds).toMatch(/-1 或至少/);
});
