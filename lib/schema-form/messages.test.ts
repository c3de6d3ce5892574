import { describe, expect, it } from "vitest";
import { picturesOf, textOfMessage, withAnswer, withContent, withRole } from "./messages.ts";

const asked = [{ role: "user", content: "How warm is it?" }];

it("puts the answer into the conversation, and the next word is the reader's", () => {
  expect(withAnswer(asked, { text: "Warm.", toolCalls: [] })).toEqual([
    ...asked,
    { role: "assistant", content: "Warm." },
    { role: "user", content: "" },
  ]);
});

it("asks for the result of each call that the answer makes", () => {
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
  it("is a plain text again without them, and keeps parts of other kinds", () => {
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
  it("shows none in another role", () => {
    const shown = { role: "user", content: [{ type: "text", text: "Look" }, picture] };
    expect(withRole(shown, "assistant")).toEqual({ role: "assistant", content: "Look" });
  });
});
