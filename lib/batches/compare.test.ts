import { expect, it } from "vitest";
import { createCatalog } from "#gateway/catalog/load.ts";
import { comparableModels, comparedInput, rowFor } from "./compare.ts";

const models = createCatalog().list().data;

it("offers the models of a kind, the asked one first, without those that ask for a confirmation of each request", () => {
  const found = comparableModels(models, "image-editing", "svc/adult-edit").map(({ model }) => model);
  expect(found[0]).toBe("svc/adult-edit");
  expect(found).not.toContain("svc/swap-1");
});

it("leaves out what a model's schema lacks, and says it", () => {
  const pictures = comparableModels(models, "image-generation", "svc/img-gen-a-1");
  const other = pictures.find(({ model }) => model === "svc/adult-img-1");
  if (!other) throw new Error("no svc/adult-img-1");
  expect(rowFor(other, { prompt: "a pine", size: "1024*1024", region: "us-oregon" })).toEqual({
    row: { model: "svc/adult-img-1", prompt: "a pine", region: "us-oregon" },
    lacks: ["size"],
  });
});

it("puts the input together again from the rows that ran", () => {
  const rows = [{ input: { prompt: "a pine", size: "1024*1024" } }, { input: { prompt: "a pine", n: 2 } }];
  expect(comparedInput(rows)).toEqual({ prompt: "a pine", size: "1024*1024", n: 2 });
  expect(comparedInput([{ input: null }])).toBeNull();
});
