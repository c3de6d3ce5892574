import { expect, it } from "vitest";
import { guides } from "./guides.ts";

const markdown = /`|\*\*|__|\]\(|^#/;
/** The markup that a guide's text may contain. */
const rendered = /`[^`]+`|\[[^\]]+\]\([^)]+\)/g;

it.each(Object.entries(guides))("shows no raw Markdown in the guide %s", (_, { sections }) => {
  const heads = sections.flatMap(({ title, parts }) => [
    title,
    ...parts.flatMap((part) => ("head" in part ? part.head : [])),
  ]);
  const texts = sections.flatMap(({ missing = "", parts }) => [
    missing,
    ...parts.flatMap((part) => {
      if ("text" in part) return [part.text];
      if ("list" in part) return part.list;
      return "rows" in part ? part.rows.flat() : [];
    }),
  ]);
  const plain = [...heads, ...texts.map((text) => text.replaceAll(rendered, ""))];
  expect(plain.filter((text) => markdown.test(text))).toEqual([]);
});
