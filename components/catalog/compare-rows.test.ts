import { expect, it } from "vitest";
import type { CatalogModel } from "#contract/catalog.ts";
import { templateEntries } from "#gateway/models/catalog/entries.ts";
import { compiledPart } from "@/messages/compile";
import { type Words, wordsOf } from "@/messages/words";
import { english } from "@/scripts/testing/english";
import { compareRows, limitName, limitText } from "./compare-rows.ts";

const t = english("catalog");
const chinese: Words<"catalog"> = wordsOf(compiledPart("zh-CN", "catalog"), "zh-CN", "UTC");

function model(resolution: string[], extend: boolean): CatalogModel {
  return {
    available_regions: ["us-virginia"],
    latest_release_at: "2026-01-01",
    safety_requirements: { adult_attestation_required: true },
    operations: [
      {
        api_type: "video-generation",
        execution_mode: "async",
        billing_unit: "second",
        limits: extend ? { supportsPromptExtend: true } : {},
        input_schema: {
          required: ["resolution"],
          properties: {
            resolution: { type: "string", enum: resolution },
            ...(extend && { prompt_extend: { type: "boolean", default: true } }),
          },
        },
      },
    ],
  } as unknown as CatalogModel;
}

it("finds the differences between similar models, also facts that only one of them has", () => {
  const rows = compareRows([model(["480P", "720P"], false), model(["2K", "4K"], true)], t);
  expect(rows.filter((row) => row.differs).map(({ name, values }) => [name, ...values])).toEqual([
    ["resolution", 'required; string; "480P", "720P"', 'required; string; "2K", "4K"'],
    ["prompt_extend", null, "optional; boolean; default true"],
    ["Supports prompt extend", null, "yes"],
  ]);
  expect(rows.find((row) => row.name === "Billed per")).toMatchObject({ differs: false });
});

it("says the names of limits in the reader's language, and those of an operator's own in English", () => {
  expect(limitName("maxInputBytes", t)).toBe("Max input bytes");
  expect(limitName("context_window_tokens", t)).toBe("Context window tokens");
  expect(limitName("context_window_tokens", chinese)).toBe("上下文窗口（Token）");
  expect(limitName("maxBeats_perBar", chinese)).toBe("Max beats per bar");
});

it("has words for all limits of the catalog", () => {
  const models = templateEntries as unknown as CatalogModel[];
  const names = models.flatMap(({ operations }) => operations.flatMap(({ limits }) => Object.keys(limits)));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !t.has(`limit.${name}`))).toEqual([]);
});

it("shows bytes in two units, lists as lists, and flags as words", () => {
  expect(limitText("maxInputBytes", 524_288_000, t)).toBe("524 MB (524,288,000 bytes)");
  expect(limitText("maxPromptCharacters", 20_000, t)).toBe("20,000");
  expect(limitText("durations", [5, 8], t)).toBe("5, 8");
  expect(limitText("supportsAudio", true, t)).toBe("yes");
});
