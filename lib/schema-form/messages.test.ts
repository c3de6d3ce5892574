import { describe, expect, it } from "vitest";
import { picturesOf, textOfMessage, withAnswer, withContent, withRole } from "./messages.ts";

const asked = [{ role: "user", content: "How warm is it?" }];

it("appends the answer to the conversation, followed by an empty message for the user", () => {
  expect(withAnswer(asked, { text: "Warm.", toolCalls: [] })).toEqual([
    ...asked,
    { role: "assistant", content: "Warm." },
    { role: "user", content: "" },
  ]);
});

it("adds an empty result for each tool call of the answer", () => {
  const toolCalls = [{ id: "call_1", name: "weather", arguments: '{"city":"Riga"}' }];
  expect(withAnswer(asked, { text: "", toolCalls })).toEqual([
    ...asked,
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Riga"}' } },
      ],
    },
    { role: "tool", content: "", tool_call_id: "call_1" },
  ]);
});

describe("a message with pictures", () => {
  const picture = { type: "image_url", image_url: { url: "upl_1" } };
  it("is plain text again when its pictures are removed, and keeps parts of other kinds", () => {
    const plain = { role: "user", content: "What is it?" };
    const shown = withContent(plain, "What is it?", ["upl_1"]);
    expect(shown.content).toEqual([{ type: "text", text: "What is it?" }, picture]);
    expect([textOfMessage(shown), picturesOf(shown)]).toEqual(["What is it?", ["upl_1"]]);
    expect(withContent(shown, "And now?", [])).toEqual({ role: "user", content: "And now?" });
    const audio = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
    expect(withContent({ role: "user", content: [audio] }, "Listen", []).content).toEqual([
      { type: "text", text: "Listen" },
      audio,
    ]);
  });
  it("has no pictures in another role", () => {
    const shown = { role: "user", content: [{ type: "text", text: "Look" }, picture] };
    expect(withRole(shown, "assistant")).toEqual({ role: "assistant", content: "Look" });
  });
});
