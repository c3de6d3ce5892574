import { expect, it } from "vitest";
import type { Content } from "#contract/contents.ts";
import { compareContents, maxMessages } from "./compare-contents.ts";

const content: Content = {
  ...{ id: "gen_01k00000000000000000000001", object: "content", created_at: "2026-11-20T10:00:00Z" },
  ...{ request_id: null, key_id: null, user_id: null, model: "svc/chat-1", api_type: "chat-completions" },
  ...{
    stored: false,
    metadata: null,
    opening: "Where is it?",
    error: null,
    cut: false,
    upstream_changes: null,
  },
  input: { temperature: 1, messages: [{ role: "user", content: "Where is the white whale?" }] },
  output: { choices: [{ message: { role: "assistant", content: "In the harbour" } }] },
};

it("compares messages, parameters and answers word by word", () => {
  const other: Content = {
    ...content,
    input: {
      temperature: 1,
      seed: 7,
      messages: [
        { role: "user", content: "Where is the grey whale?" },
        { role: "tool", content: "3 whales" },
      ],
    },
    output: {
      choices: [{ message: { role: "assistant", content: "In the harbour", reasoning: "It must be near" } }],
    },
  };
  const same = (text: string) => ({ kind: "same", text });
  const removed = (text: string) => ({ kind: "removed", text });
  const added = (text: string) => ({ kind: "added", text });
  const messages = {
    name: "Messages",
    rows: [
      {
        name: "1. Caller",
        differs: true,
        sides: [
          [same("Where is the"), removed(" white"), same(" whale?")],
          [same("Where is the"), added(" grey"), same(" whale?")],
        ],
      },
      { name: "2. Tool result", differs: true, sides: [null, [same("3 whales")]] },
    ],
  };
  const parameters = {
    name: "Parameters",
    rows: [
      { name: "temperature", differs: false, sides: [[same("1")], [same("1")]] },
      { name: "seed", differs: true, sides: [null, [same("7")]] },
    ],
  };
  const [first, second, answer] = compareContents(content, other);
  expect(first).toEqual(messages);
  expect(second).toEqual(parameters);
  expect(answer).toMatchObject({ name: "Answer", rows: [{ name: "1. Model", differs: true }] });
});

it("compares the texts of calls that are no chat", () => {
  const spoken = (input: string): Content => ({ ...content, input: { input }, output: null });
  const groups = compareContents(spoken("Call me Ishmael"), spoken("Call me Ahab"));
  expect(groups.map(({ name }) => name)).toEqual(["Parameters"]);
  expect(groups[0]?.rows).toMatchObject([{ name: "input", differs: true }]);
});

it("does a bounded amount of work", () => {
  const long = (word: string): Content => {
    const text = Array.from({ length: 500_000 }, (_, at) => `${word}${at}`).join(" ");
    return { ...content, input: { messages: Array(1000).fill({ role: "user", content: text }) } };
  };
  const [messages] = compareContents(long("a"), long("b"));
  expect(messages?.rows).toHaveLength(maxMessages);
});
