import { expect, it } from "vitest";
import { compiledPart } from "../../messages/compile.ts";
import { wordsOf } from "../../messages/words.ts";
import { remedyOf } from "./problem-messages.ts";

const words = wordsOf<"inputForm">(compiledPart("zh-CN", "inputForm"), "zh-CN", "UTC");

it.each([
  ["required", {}, undefined, "此项必填。"],
  ["maximum", { type: "integer", minimum: 1, maximum: 2000 }, 9, "请选择 1 到 2,000 之间的整数。"],
  [
    "exclusiveMinimum",
    { type: "number", exclusiveMinimum: 0, maximum: 2 },
    0,
    "请选择大于 0 且不大于 2 的数字。",
  ],
  ["maximum", { type: "number", maximum: 2 }, 3, "请选择不大于 2 的数字。"],
  ["type", { type: ["integer", "null"] }, "x", "请输入整数或 null。"],
  ["maxItems", { maxItems: 3 }, [1, 2, 3, 4], "最多 3 个。目前有 4 个。"],
  ["enum", { enum: ["720P", "1080P"] }, "x", "请从以下值中选择：720P、1080P。"],
  ["maxLength", { maxLength: 2 }, "三个字", "请缩短到 2 个字符以内。现有 3 个。"],
])("says in Chinese how to fix %s of %j", (keyword, schema, value, text) => {
  expect(remedyOf(words, keyword, schema, value)).toBe(text);
});
