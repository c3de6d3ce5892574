import { describe, expect, it } from "vitest";
import { blocksOf } from "./markdown-blocks.ts";

describe("Markdown split into blocks", () => {
  it.each([
    ["paragraphs", "one\n\ntwo\nthree\n\nfour", 3],
    ["a list with empty lines in it", "- one\n\n- two\n\n  more of two\n\nend", 2],
    ["numbers", "1. one\n\n2. two", 1],
    ["a fence with empty lines in it", "```js\nlet a;\n\nlet b;\n```\n\nend", 2],
    ["a fence that is still open", "text\n\n```\na\n\nb\n\n", 2],
    ["fences of other marks inside", "~~~~\n~~~\n\n```\n~~~~\n\nend", 2],
    ["a quote", "> one\n\n> two\n\nend", 2],
    ["links that are defined elsewhere", "see [a]\n\nmore\n\n[a]: https://example.com", 1],
    ["nothing", "", 1],
  ])("of %s equals the text when the blocks are joined", (_, text, count) => {
    const blocks = blocksOf(text);
    expect(blocks).toHaveLength(count);
    expect(blocks.join("\n")).toBe(text);
  });

  it("stays unchanged while the text grows, except for the last blocks", () => {
    const text =
      "# Title\n\nA text.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nlet a;\n\nlet b;\n```\n\nThe end.";
    for (let length = 1; length < text.length; length += 1) {
      const [now, next] = [blocksOf(text.slice(0, length)), blocksOf(text.slice(0, length + 1))];
      // A started line may turn out to continue the block before it, so only the last two blocks may change.
      const settled = Math.max(0, now.length - 2);
      expect(next.slice(0, settled)).toEqual(now.slice(0, settled));
    }
  });
});
