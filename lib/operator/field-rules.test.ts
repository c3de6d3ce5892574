import { expect, it } from "vitest";
import { fieldsOf, rulesOf } from "./route-entry.ts";

it("reads back the lines that it wrote, with unquoted words and numbers", () => {
  const fields = {
    rename: { max_tokens: "max_completion_tokens" },
    omit: ["seed"],
    defaults: { quality: "high", steps: 4, tag: "12" },
    set: { watermark: false, extra: { a: [1] } },
  };
  const rules = rulesOf(fields);
  expect(rules.find(({ field }) => field === "quality")?.value).toBe("high");
  expect(rules.find(({ field }) => field === "tag")?.value).toBe('"12"');
  expect(fieldsOf(rules)).toEqual(fields);
});

it("leaves out empty lines", () => {
  expect(fieldsOf([{ kind: "rename", field: "a", value: " " }])).toBeNull();
  expect(fieldsOf([{ kind: "omit", field: " ", value: "" }])).toBeNull();
});
