import { expect, it } from "vitest";
import type { Content } from "#contract/contents.ts";
import { english } from "../../scripts/testing/english.ts";
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
  const [first, second, answer] = compareContents(english("requests"), content, other);
  expect(first).toEqual(messages);
  expect(second).toEqual(parameters);
  expect(answer).toMatchObject({ name: "Answer", rows: [{ name: "1. Model", differs: true }] });
});

const file = (type: string, letters: string) => `file:${type};bytes=7;sha256=${letters.repeat(32)}`;
const audio = (letters: string) => ({
  type: "input_audio",
  input_audio: { data: file("audio/wav", letters), format: "wav" },
});
const document = (letters: string) => ({
  type: "file",
  file: { file_data: file("application/pdf", letters) },
});

it.each([
  ["audio", audio("ab"), audio("cd"), true],
  ["the same audio", audio("ab"), audio("ab"), false],
  ["documents", document("ab"), document("cd"), true],
  ["other parts", { type: "refusal", refusal: "No" }, { type: "refusal", refusal: "Never" }, true],
])("compares the files of messages: %s", (_, left, right, differs) => {
  const asked = (part: object): Content => ({
    ...content,
    input: { messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, part] }] },
  });
  const [messages] = compareContents(english("requests"), asked(left), asked(right));
  expect(messages?.rows).toMatchObject([{ differs }]);
});

it("compares the texts of calls that are no chat", () => {
  const spoken = (input: string): Content => ({ ...content, input: { input }, output: null });
  const groups = compareContents(english("requests"), spoken("Call me Ishmael"), spoken("Call me Ahab"));
  expect(groups.map(({ name }) => name)).toEqual(["Parameters"]);
  expect(groups[0]?.rows).toMatchObject([{ name: "input", differs: true }]);
});

it("does a bounded amount of work", () => {
  const long = (word: string): Content => {
    const text = Array.from({ length: 500_000 }, (_, at) => `${word}${at}`).join(" ");
    return { ...content, input: { messages: Array(1000).fill({ role: "user", content: text }) } };
  };
  const [messages] = compareContents(english("requests"), long("a"), long("b"));
  expect(messages?.rows).toHaveLength(maxMessages);
});
