import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { findJsonFault } from "./json-fault.ts";

const words = english("jsonFault");

/** The fault in a text, with the character at its position. */
function fault(text: string): [at: string, message: string] {
  const { message, offset } = findJsonFault(text, words);
  return [text.slice(offset, offset + 4), message];
}

describe("common mistakes", () => {
  it.each([
    ["missing comma", '{"a": 1 "b": 2}', '"b":', "A comma or } is missing before this."],
    ["missing comma in a list", "[1 2]", "2]", "A comma or ] is missing before this."],
    ["trailing comma", '{"a": 1, }', ", }", "Remove this comma: nothing follows it in the object."],
    ["trailing comma in a list", "[1, 2,]", ",]", "Remove this comma: nothing follows it in the list."],
    ["two commas", '{"a": 1,, "b": 2}', ', "b', "Remove this comma: there are two in a row."],
    ["missing colon", '{"a" 1}', "1}", "A colon is missing after the key."],
    ["equals sign", '{"a" = 1}', "= 1}", "Write a colon here, not an equals sign."],
    ["unquoted key", "{prompt: 1}", "prom", 'Put the key prompt in double quotes: "prompt".'],
    ["single quotes", "{'a': 1}", "'a':", "Use straight double quotes (\") here, not '."],
    ["typographic quotes", "{“a”: 1}", "“a”:", 'Use straight double quotes (") here, not “.'],
    ["single-quoted text", "{\"a\": 'b'}", "'b'}", "Use straight double quotes (\") here, not '."],
    ["unquoted text", '{"a": hello}', "hell", "Put hello in double quotes if it is a string."],
    ["missing value", '{"a": }', "}", "A value is missing before this }."],
    ["key alone", '{"a"}', "}", "A colon and a value are missing after this key."],
    ["Python's literals", '{"a": True}', "True", "Write true here, not True."],
    ["None", '{"a": None}', "None", "Write null here, not None."],
    ["undefined", '{"a": undefined}', "unde", "Write null here, not undefined."],
    ["NaN", '{"a": NaN}', "NaN}", "JSON does not allow NaN: write a number or null."],
    ["comment", '{"a": 1} // done', "// d", "Remove this comment: JSON does not allow comments."],
    ["block comment", '{/* x */"a": 1}', "/* x", "Remove this comment: JSON does not allow comments."],
    ["open text", '{"a": "b}', '"b}', 'This string has no closing quote: add a " at its end.'],
    [
      "line break in a text",
      '{"a": "b\nc"}',
      '"b\nc',
      'This string has no closing quote on its line: add a " at its end, or write a line break as \\n.',
    ],
    ["tab in a text", '{"a": "b\tc"}', '\tc"}', "Write a tab inside a string as \\t."],
    ["backslash", '{"a": "C:\\temp\\x"}', '\\x"}', "Write a backslash inside a string as \\\\."],
    ["open object", '{"a": {"b": 1}', "", "The JSON ends too early: add } to close the { of line 1."],
    ["open list", '{\n"a": [1', "", "The JSON ends too early: add ] to close the [ of line 2."],
    ["wrong bracket", '{"a": [1}', "}", "Close the list with ], not }."],
    ["bracket too many", '{"a": 1}}', "}", "Remove this }: no bracket is open here."],
    [
      "text after the end",
      '{"a": 1} {"b": 2}',
      '{"b"',
      "The JSON ends before this: remove what follows, or the bracket that closes too early.",
    ],
    ["semicolon", '{"a": 1; "b": 2}', '; "b', "Write a comma here, not a semicolon."],
    ["leading zero", '{"a": 007}', "007}", "Remove the zeros at the start of this number."],
    ["leading point", '{"a": .5}', ".5}", "Write a 0 before the decimal point."],
    ["plus sign", '{"a": +5}', "+5}", "Remove the plus sign before this number."],
    ["hexadecimal", '{"a": 0xff}', "0xff", "Write this number in decimal digits: JSON does not allow 0x."],
    ["underscores", '{"a": 1_000}', "1_00", "Remove the underscores from this number."],
    [
      "invisible space",
      '{\u00a0"a": 1}',
      '\u00a0"a"',
      "Remove this invisible character (a non-breaking space).",
    ],
    [
      "keys in a list",
      '["a": 1]',
      ": 1]",
      "A list has no keys: use { } for keys and values, or remove the key.",
    ],
    ["nothing", "  ", "  ", "This is empty: start with {."],
  ])("%s", (_slip, text, at, message) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(fault(text)).toEqual([at, message]);
  });
});

it("finds a fault in every text that JSON.parse refuses, and none in valid texts", () => {
  const generic = "The body must be a JSON object: start with { and end with }.";
  const mutated = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", ":", '"', "}", "]", "{", "x", "\\", "\n"))
    .map(
      ([text, at, put]) =>
        text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
    );
  fc.assert(
    fc.property(mutated, (text) => {
      let refused = false;
      try {
        JSON.parse(text);
      } catch {
        refused = true;
      }
      expect(findJsonFault(text, words).message !== generic).toBe(refused);
    }),
    { numRuns: 2_000 },
  );
});

it("requires an object", () => {
  expect(findJsonFault("[1]", words).message).toContain("JSON object");
});

it("answers at once for a text with endless nesting", () => {
  expect(findJsonFault("[".repeat(1_000_000), words).message).toBe("This JSON is nested too deeply.");
});
