import { expect, it } from "vitest";
import { faultSentence } from "./fault-words.ts";

const missing = (...names: string[]) =>
  names.map((name) => ({ path: `/${name}`, keyword: "required", message: "is required" }));
const quality = { enum: ["low", "high"] };
const size = { enum: ["1", "2", "3", "4", "5", "6", "7", "8", "9"] };

it.each([
  ["one missing field", missing("prompt"), {}, "prompt is required"],
  ["its choices", missing("quality"), { quality }, 'quality is required: one of "low", "high"'],
  [
    "all missing fields, with some of many choices",
    missing("quality", "size", "prompt"),
    { quality, size },
    'quality (one of "low", "high"), size (one of "1", "2", "3", "4", "5", "6", "7", "8", …) and prompt are required',
  ],
  [
    "the first of very many missing fields",
    missing("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"),
    {},
    "a, b, c, d, e, f, g, h and 2 more fields are required",
  ],
  [
    "only the first of two problems of different kinds",
    [{ path: "/n", keyword: "minimum", message: "must be at least 1" }, ...missing("prompt")],
    {},
    "n must be at least 1",
  ],
  [
    "no field of another object",
    [...missing("prompt"), { path: "/loras/0/scale", keyword: "required", message: "is required" }],
    {},
    "prompt is required",
  ],
])("the sentence names %s", (_what, problems, properties, sentence) => {
  const subject = problems[0]?.path.slice(1) ?? "";
  expect(faultSentence(subject, problems, properties)).toBe(sentence);
});
