import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { type ContentText, maxTextLength, openingOf, textOfContent } from "./text.ts";

const of = (input: Record<string, unknown>, output: unknown = null) =>
  JSON.parse(textOfContent({ input, output, failure: null, isCut: false })) as ContentText;

it("names the bytes of a file by type, size and hash, wherever they are", () => {
  const bytes = Buffer.from("picture".repeat(100));
  const base64 = bytes.toString("base64");
  const named = (type: string) =>
    `file:${type};bytes=700;sha256=${createHash("sha256").update(bytes).digest("hex")}`;
  const parts = [
    { type: "image_url", image_url: { url: `data:image/png;base64,${base64}` } },
    { type: "input_audio", input_audio: { data: base64, format: "wav" } },
    { type: "text", text: "data: is a word, and so is base64" },
  ];
  const { input } = of({ messages: [{ role: "user", content: parts }], data: "short" });
  expect(input).toEqual({
    messages: [
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: named("image/png") } },
          { type: "input_audio", input_audio: { data: named("application/octet-stream"), format: "wav" } },
          parts[2],
        ],
      },
    ],
    data: "short",
  });
});

const message = (content: string) => ({ role: "user", content });

it.each([
  ["a text of one letter", { messages: [message("a".repeat(9_000_000))] }],
  ["100,000 messages", { messages: Array.from({ length: 100_000 }, () => message("x".repeat(60))) }],
  [
    "long messages",
    { messages: Array.from({ length: 90 }, (_, at) => message(String(at % 10).repeat(90_000))) },
  ],
  ["many names", Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`${at}`.repeat(20), "x"]))],
])("cuts %s in the middle, and says so", (_, input) => {
  const text = textOfContent({ input, output: null, failure: null, isCut: false });
  expect(text.length).toBeLessThan(maxTextLength + 1_000);
  expect(text.length).toBeGreaterThan(1_000);
  const { input: kept } = JSON.parse(text) as ContentText;
  if (!("messages" in input)) return;
  expect(text).toMatch(/ (?:characters|items) left out …/);
  const [first, last] = [(kept.messages as unknown[])[0], (kept.messages as unknown[]).at(-1)];
  expect(JSON.stringify([first, last]).length).toBeGreaterThan(60);
});

it("keeps an input and an output of 4 MB each, and text that is not valid Unicode", () => {
  const half = "\ud83d lone ".repeat(100);
  const { input, output } = of({ a: half }, { b: "y".repeat(3_900_000) });
  expect(input.a).toBe(half);
  expect((output as { b: string }).b).toHaveLength(3_900_000);
});

it.each<[Parameters<typeof openingOf>, string]>([
  [
    ["chat-completions", { messages: [message("First"), message("  Second\n question ")] }],
    "Second question",
  ],
  [["chat-completions", { messages: [{ role: "user", content: [{ type: "text", text: "Part" }] }] }], "Part"],
  [["chat-completions", { messages: "not a list" }], ""],
  [["text-to-speech", { input: "Spoken" }], "Spoken"],
  [["image-generation", { prompt: "A whale" }], "A whale"],
  [["embeddings", { input: ["One", "Two"] }], "One"],
  [["rerank", { query: "Which?", documents: [] }], "Which?"],
])("shows the first words of %j", (asked, words) => {
  expect(openingOf(...asked)).toBe(words);
});
