import { expect, it } from "vitest";
import type { CatalogModel } from "#contract/catalog.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import zhCn from "../../messages/zh-CN/apart/model-forms.ts";
import { modelInLanguage, textsIn } from "./catalog-words.ts";

const models = ownEntries.load() as unknown as CatalogModel[];

const textsOf = ({ operations }: CatalogModel) =>
  operations.flatMap(({ input_schema }) => textsIn(input_schema));

it("every text of the forms of all 34 operations has Chinese words, and no others are kept", () => {
  expect(models.flatMap(({ operations }) => operations).length).toBe(34);
  const needed = new Set(models.filter(({ id }) => id.startsWith("svc/")).flatMap(textsOf));
  expect([...needed].filter((text) => !Object.hasOwn(zhCn, text))).toEqual([]);
  const ofTemplates = new Set(models.flatMap(textsOf));
  expect(Object.keys(zhCn).filter((text) => !ofTemplates.has(text))).toEqual([]);
});

it("changes only words: names and values stay", () => {
  const model = models.find(({ id }) => id === "svc/adult-vid-1") as CatalogModel;
  const before = JSON.stringify(model);
  const chinese = modelInLanguage(model, "zh-CN");
  expect(chinese.operations[0]?.input_schema).toMatchObject({
    properties: { seed: { title: "种子", type: "integer" } },
  });
  const bare = (value: unknown) =>
    JSON.stringify(value, (key, part) =>
      /^(title|description)$/.test(key) && typeof part === "string" ? "" : part,
    );
  expect(bare(chinese)).toBe(bare(model));
  expect(JSON.stringify(model)).toBe(before);
  expect(modelInLanguage(model, "en")).toBe(model);
});

it("translates the form of somebody else's model only if all its words are the catalog's", () => {
  const model = models.find(({ id }) => id === "svc/chat-1") as CatalogModel;
  const imported = { ...model, id: "own/small-chat" };
  expect(modelInLanguage(imported, "zh-CN").operations).toEqual(modelInLanguage(model, "zh-CN").operations);
  const own = structuredClone(imported) as unknown as { operations: [{ input_schema: { title?: string } }] };
  own.operations[0].input_schema.title = "A form of ours";
  expect(modelInLanguage(own as unknown as CatalogModel, "zh-CN")).toEqual(own);
});
