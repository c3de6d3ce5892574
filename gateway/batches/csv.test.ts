import { expect, it } from "vitest";
import { CsvError, cellText, readCsv, writeCell } from "./csv.ts";

const read = (text: string) => [...readCsv(text)];

it("reads what spreadsheets write: quotes, line breaks in cells, CRLF, and which line each record begins on", () => {
  expect(read('prompt,n\r\n"a ""pine"",\r\nby the sea",1\r\n\r\nan oak,2')).toEqual([
    { line: 1, cells: ["prompt", "n"] },
    { line: 2, cells: ['a "pine",\r\nby the sea', "1"] },
    { line: 5, cells: ["an oak", "2"] },
  ]);
  expect(read("a\rb\r")).toEqual([
    { line: 1, cells: ["a"] },
    { line: 2, cells: ["b"] },
  ]);
});

it.each([";", "\t"])("takes the separator of the header (%j)", (mark) => {
  expect(read(`"a,b"${mark}c\n1,5${mark}2\n`)).toEqual([
    { line: 1, cells: ["a,b", "c"] },
    { line: 2, cells: ["1,5", "2"] },
  ]);
});

it("says on which line a quote is wrong", () => {
  const lineOf = (text: string) => {
    try {
      read(text);
    } catch (error) {
      return error instanceof CsvError && error.line;
    }
    return null;
  };
  expect(lineOf('a\nb\n"c')).toBe(3);
  expect(lineOf('a\n"b"c\n')).toBe(2);
});

it("writes formulas as text and reads them back", () => {
  for (const text of [
    "=1+1",
    "@sum",
    "-x",
    "+1 a",
    "'quoted",
    "plain",
    "a,b",
    'say "hi"\nthere',
    "-1.5",
    "a;b",
  ]) {
    const written = writeCell(text);
    expect(written).not.toMatch(/^"?[=@]/);
    expect(read(`h\n${written}`)[1]?.cells.map(cellText)).toEqual([text]);
  }
});
