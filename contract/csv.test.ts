import { expect, it } from "vitest";
import { readCsv } from "./csv.ts";

const read = (text: string) => [...readCsv(text)];

it("reads what spreadsheets write: a byte order mark, quotes, line breaks in cells, and CRLF, and gives the first line of each record", () => {
  expect(read('\uFEFFprompt,n\r\n"a ""pine"",\r\nby the sea",1\r\n\r\nan oak,\r\n,2')).toEqual([
    { line: 1, cells: ["prompt", "n"] },
    { line: 2, cells: ['a "pine",\r\nby the sea', "1"] },
    { line: 5, cells: ["an oak", ""] },
    { line: 6, cells: ["", "2"] },
  ]);
  expect(read("a\rb\r")).toEqual([
    { line: 1, cells: ["a"] },
    { line: 2, cells: ["b"] },
  ]);
});

it.each([";", "\t"])("detects the separator of the header (%j)", (mark) => {
  expect(read(`"a,b"${mark}c\n1,5${mark}\n`)).toEqual([
    { line: 1, cells: ["a,b", "c"] },
    { line: 2, cells: ["1,5", ""] },
  ]);
});

it("names the line of a wrong quote, and reads the rest as well as possible", () => {
  const unended = read('a,b\n"two\nlines","c\nd');
  expect(unended[1]).toMatchObject({ line: 2, cells: ["two\nlines", "c\nd"], fault: { line: 3 } });
  const followed = read('a\n"b"c\nd');
  expect(followed[1]).toMatchObject({ cells: ["bc"], fault: { line: 2 } });
  expect(followed[2]).toEqual({ line: 3, cells: ["d"] });
});

it.each([
  ["cells in one row", ",".repeat(30_000)],
  ["doubled quotes", `"${'""'.repeat(600_000)}"`],
  ["line breaks in quoted cells", `"${"\n".repeat(1_100_000)}"`],
])("reports too many %s, and stops reading", (what, text) => {
  const [record, ...others] = read(`${text}\na`);
  expect(record?.fault?.message).toContain(what);
  expect(others).toEqual([]);
});
