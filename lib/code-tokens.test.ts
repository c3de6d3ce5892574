import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensOf } from "./code-tokens.ts";

const kinds = (code: string, language: string) =>
  tokensOf(code, language)
    .filter(({ kind }) => kind !== "plain")
    .map(({ kind, text }) => `${kind} ${text}`);

describe("splits code into coloured pieces", () => {
  it.each(["json", "node", "python", "shell", "go", "php", "text", "unheard-of"])(
    "loses no character of %s",
    (language) => {
      fc.assert(
        fc.property(fc.string({ unit: "binary" }), (code) => {
          expect(
            tokensOf(code, language)
              .map(({ text }) => text)
              .join(""),
          ).toBe(code);
        }),
      );
    },
  );

  it("does not find comments inside strings, or keywords inside names", () => {
    expect(kinds('const url = "https://a//b"; // newline', "node")).toEqual([
      "word const",
      'string "https://a//b"',
      "comment // newline",
    ]);
    expect(kinds("constant.for(1)", "node")).toEqual(["number 1"]);
  });

  it("continues a shell string over several lines", () => {
    expect(kinds(`curl -d '{\n"a": 1}' # send`, "shell")).toEqual([
      "word curl",
      `string '{\n"a": 1}'`,
      "comment # send",
    ]);
  });

  it("colours strings, numbers, keywords and names of Python and JSON", () => {
    expect(kinds('return None  # "no"', "python")).toEqual(["word return", "word None", 'comment # "no"']);
    expect(kinds('{"a": -1.5e3, "b": true}', "json")).toEqual([
      'string "a"',
      "number -1.5e3",
      'string "b"',
      "word true",
    ]);
  });

  it("does not colour very long code", () => {
    expect(tokensOf("1 ".repeat(20_000), "json")).toHaveLength(1);
  });
});
