import { expect, it } from "vitest";
import { compiledPart } from "../../messages/compile.ts";
import { type Words, wordsOf } from "../../messages/words.ts";
import { english } from "../../scripts/testing/english.ts";
import { keptInput, readKeptFile } from "./kept-input.ts";

const file = `file:image/png;bytes=700;sha256=${"ab".repeat(32)}`;

it("takes the input of a kept call without model and stream, and says which files are missing", () => {
  const text = { type: "text", text: "Where is it?" };
  const others = [
    { role: "assistant", content: null },
    { role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] },
  ];
  const asked = (part: object) => [{ role: "user", content: [text, part] }, ...others];
  const messages = asked({ type: "image_url", image_url: { url: file, detail: "low" } });
  const input = { model: "svc/chat-1", stream: true, temperature: 0.5, messages };
  const missing = (text: string) => ({ type: "text", text });
  expect(keptInput({ input }, english("ui"))).toEqual({
    missingFiles: 1,
    input: {
      temperature: 0.5,
      messages: asked(missing("[Missing here: image/png, 700 B. Add it again.]")),
    },
  });
  const chinese: Words<"ui"> = wordsOf(compiledPart("zh-CN", "ui"), "zh-CN", "UTC");
  expect(keptInput({ input }, chinese).input.messages).toEqual(
    asked(missing("【此处缺少文件：image/png，700 B。请重新添加。】")),
  );
});

it.each([
  [file, { type: "image/png", sizeBytes: 700, sha256: "ab".repeat(32) }],
  ["file:image/png", null],
  [`a ${file}`, null],
])("reads %s", (name, read) => {
  expect(readKeptFile(name)).toEqual(read);
});
