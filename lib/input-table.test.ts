import { expect, it } from "vitest";
import { rowsSent } from "./batches/draft.ts";
import { faultsByRow } from "./batches/labels.ts";
import { tableFromCsv, tableFromJsonLines, toCsv, withoutColumn, withPasted } from "./input-table.ts";

it("writes an unchanged table back as the same text", () => {
  const table = {
    columns: ["prompt", "seed"],
    rows: [
      ['a "big" tree,\nin rain', "7"],
      ["", ""],
      ["=1+1", ""],
    ],
  };
  const again = tableFromCsv(toCsv({ ...table, rows: [...table.rows, ["", ""]] }));
  expect(again.rows).toEqual([table.rows[0], table.rows[2]]);
  expect(toCsv(table).split("\r\n")).toHaveLength(4);
  const fault = { row: 2, line: 5, column: "seed", code: "invalid_parameter", message: "must be integer" };
  expect([...faultsByRow([fault], rowsSent({ table, file: null })).keys()]).toEqual([2]);
});

it("shows JSON lines as a table", () => {
  expect(tableFromJsonLines('{"prompt":"a","n":2}\n\n{"prompt":"b","tags":["x"]}\nnot json')).toEqual({
    columns: ["prompt", "n", "tags"],
    rows: [["a", "2", ""], ["b", "", '["x"]'], ["not json"]],
  });
});

it("inserts a copied range at a cell, and replaces the whole table by a range with a header", () => {
  const table = { columns: ["prompt", "seed"], rows: [["a", "1"]] };
  const pasted = withPasted(table, { row: 1, column: 1 }, "5\n6\toutside", ["prompt", "seed"]);
  expect(pasted.rows).toEqual([
    ["a", "1"],
    ["", "5"],
    ["", "6"],
  ]);
  expect(withPasted(table, { row: 0, column: 0 }, "seed\tprompt\n9\tx", ["prompt", "seed"])).toEqual({
    columns: ["seed", "prompt"],
    rows: [["9", "x"]],
  });
  expect(withPasted(table, { row: 0, column: 0 }, "prompt\tnote\n9\tx", ["prompt", "seed"])).toEqual({
    columns: ["prompt", "note"],
    rows: [["9", "x"]],
  });
  expect(withoutColumn(table, 0)).toEqual({ columns: ["seed"], rows: [["1"]] });
});
