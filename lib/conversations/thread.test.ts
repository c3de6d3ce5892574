import { describe, expect, it } from "vitest";
import type { JsonObject } from "../schema-form/json.ts";
import {
  beforeQuestion,
  emptyMessage,
  isEmptyMessage,
  messagesOf,
  threadOf,
  turnsOf,
  upToQuestion,
  withoutEmptyEnd,
  withResult,
} from "./thread.ts";

const system = { role: "system", content: "Be brief." };
const question = { role: "user", content: "Name a river." };
const answer = { role: "assistant", content: "The Rhine." };
const calls = {
  role: "assistant",
  content: null,
  tool_calls: [
    { id: "a", type: "function", function: { name: "tide", arguments: "{}" } },
    { id: "b", type: "function", function: { name: "wind", arguments: "{}" } },
  ],
};
const result = (id: string, content: string) => ({ role: "tool", content, tool_call_id: id });

describe("a thread", () => {
  it.each<[string, JsonObject[], number, boolean]>([
    ["a question that is being written", [system, question], 0, true],
    ["an answer at the end", [question, answer], 2, false],
    ["a question after an answer", [question, answer, question], 2, true],
    ["nothing", [], 0, false],
  ])("of %s shows the messages, and gives them back unchanged", (_, messages, past, hasNext) => {
    const thread = threadOf(messages);
    expect([thread.past.length, thread.next !== null]).toEqual([past, hasNext]);
    expect(messagesOf(thread)).toEqual(messages);
  });

  it("sends no empty message at its end", () => {
    const body = { temperature: 1, messages: [question, answer, emptyMessage] };
    expect(withoutEmptyEnd(body)).toEqual({ temperature: 1, messages: [question, answer] });
    expect(withoutEmptyEnd({ messages: [emptyMessage] })).toEqual({ messages: [emptyMessage] });
    expect(withoutEmptyEnd({ prompt: "a pine" })).toEqual({ prompt: "a pine" });
    const picture = { type: "image_url", image_url: { url: "upload://upl_1" } };
    expect(isEmptyMessage({ role: "user", content: [picture] })).toBe(false);
    expect(isEmptyMessage({ role: "user", content: [{ type: "file", file: {} }] })).toBe(false);
  });

  it("shows results below the calls that requested them", () => {
    const past = [question, calls, result("a", "calm"), result("b", ""), answer];
    expect(turnsOf(past).map(({ at, results }) => [at, results.length])).toEqual([
      [0, 0],
      [1, 2],
      [4, 0],
    ]);
    expect(withResult(past, 1, "b", "none")[3]).toEqual(result("b", "none"));
    expect(withResult([question, calls], 1, "b", "none")).toEqual([question, calls, result("b", "none")]);
    expect(withResult([question, calls, result("a", "calm"), answer], 1, "b", "none")).toEqual([
      question,
      calls,
      result("a", "calm"),
      result("b", "none"),
      answer,
    ]);
  });

  it("can be cut before a question, and after the last one", () => {
    const past = [question, answer, question, calls, result("a", "calm")];
    expect(beforeQuestion(past, 1)).toEqual([question, answer]);
    expect(beforeQuestion(past, 0)).toEqual([]);
    expect(beforeQuestion(past, 2)).toEqual(past);
    expect(upToQuestion(past)).toEqual([question, answer, question]);
  });
});
