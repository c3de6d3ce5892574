import { expect, it } from "vitest";
import { isWithinMarkdownBounds } from "./markdown-bounds.ts";

const answer = `# A plan

Some *text* with **weight**, \`code\` and [a link](https://example.com).

1. First
   - a part
     - of a part
2. Second

> Quoted
> > twice

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
for (const [key, value_of_it] of map) total[key] *= value_of_it || 1;
\`\`\`
`;

it("renders the Markdown of normal answers", () => {
  expect(isWithinMarkdownBounds("")).toBe(true);
  expect(isWithinMarkdownBounds(answer)).toBe(true);
  expect(isWithinMarkdownBounds(answer.repeat(80))).toBe(true);
  expect(isWithinMarkdownBounds("word ".repeat(9_000))).toBe(true);
});

it.each([
  ["a list in a list in a list, on one line", "- ".repeat(2000)],
  ["numbered ones", "1. ".repeat(2000)],
  ["quotes in quotes", "> ".repeat(2000)],
  ["quotes without spaces", ">".repeat(2000)],
  ["a list that is set in further with each line", deepList(100)],
  ["the same with tabs", deepList(100, "\t")],
  ["2 MB of a deep list", deepList(20).repeat(5000)],
  ["one long paragraph", "a".repeat(60_000)],
  ["very many lines", "a\n".repeat(3000)],
  ["emphasis in emphasis", `${"*a ".repeat(3000)}${" a*".repeat(3000)}`],
  ["half-open links", "[a](".repeat(3000)],
  ["a wide table with many short rows", `${"|a".repeat(500)}\n${"|-".repeat(500)}\n${"|x\n".repeat(500)}`],
])("shows %s as plain text, and decides at once", (_name, text) => {
  const startedAt = performance.now();
  expect(isWithinMarkdownBounds(text)).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(500);
});

function deepList(depth: number, indent = "  "): string {
  return Array.from({ length: depth }, (_, level) => `${indent.repeat(level)}- a\n`).join("");
}
