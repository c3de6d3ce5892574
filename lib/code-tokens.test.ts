import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensOf } from "./code-tokens.ts";

const kinds = (code: string, language: string) =>
  tokensOf(code, language)
    .filter(({ kind }) => kind !== "plain")
    .map(({ kind, text }) => `${kind} ${text}`);

describe("code in coloured pieces", () => {
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

  it("follows a shell string over lines", () => {
    expect(kinds(`curl -d '{\n"a": 1}' # send`, "shell")).toEqual([
      "word curl",
      `string '{\n"a": 1}'`,
      "comment # send",
    ]);
  });

  it("colours what Python and JSON are made of", () => {
    expect(kinds('return None  # "no"', "python")).toEqual(["word return", "word None", 'comment # "no"']);
    expect(kinds('{"a": -1.5e3, "b": true}', "json")).toEqual([
      'string "a"',
      "number -1.5e3",
      'string "b"',
      "word true",
    ]);
  });

  it("leaves very long code alone", () => {
    expect(tokensOf("1 ".repeat(20_000), "json")).toHaveLength(1);
  });
});
