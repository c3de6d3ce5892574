import { expect, test } from "vitest";
import { attachment, filenameOf } from "./attachment.ts";
import { parseRange } from "./storage.ts";

test.each([
  [undefined, null],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=2-5", { start: 2, end: 5 }],
  ["bytes=7-", { start: 7, end: 9 }],
  ["bytes=0-99", { start: 0, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=-99", { start: 0, end: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=5-2", null],
  ["bytes=0-1,3-4", null],
  ["bytes=-", null],
  ["items=0-1", null],
])("Range %j of ten bytes is %j", (header, expected) => {
  expect(parseRange(header, 10)).toEqual(expected);
});

test("says that an empty file has no ranges", () => {
  expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable");
});

test.each([
  ["cat.png", `attachment; filename="cat.png"; filename*=UTF-8''cat.png`],
  ['a"b\\c\r\nd.png', `attachment; filename="a_b_c__d.png"; filename*=UTF-8''a%22b%5Cc%0D%0Ad.png`],
  ["Grüße (1).png", `attachment; filename="Gr__e (1).png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%281%29.png`],
])("%j is saved safely", (name, expected) => {
  expect(attachment(name)).toBe(expected);
});

test("a file without a name gets one from its key", () => {
  expect(filenameOf("outputs/pred_1/1.png", "image/png")).toBe("pred_1-1.png");
  expect(filenameOf("uploads/upl_1/ab12", "audio/mpeg")).toBe("upl_1-ab12.mp3");
});
