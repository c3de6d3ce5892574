import { expect, it } from "vitest";
import { readCsv } from "#contract/csv.ts";
import { cellText, writeCell } from "./formula-text.ts";

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
    "\n=1+1",
    "＝1+1",
    "＠sum",
  ]) {
    const written = writeCell(text);
    expect(written).not.toMatch(/^"?[=@＝＠\n]/);
    expect([...readCsv(`h\n${written}`)][1]?.cells.map(cellText)).toEqual([text]);
  }
});
