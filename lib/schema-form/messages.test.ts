import { expect, it } from "vitest";
import { withAnswer } from "./messages.ts";

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
