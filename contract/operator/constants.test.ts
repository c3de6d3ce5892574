import { expect, it } from "vitest";
import { thinksSilently } from "./constants.ts";

it.each([
  ["o3", true],
  ["openai/gpt-5-mini", true],
  ["gpt-5-chat-latest", false],
  ["gpt-6", true],
  ["gpt-4.1", false],
  ["gemini-2.5-flash", true],
  ["models/gemini-pro-latest", true],
  ["gemini-2.0-flash", false],
  ["grok-4-fast", true],
  ["x-ai/grok-5", true],
  ["grok-3", false],
  ["deepseek-reasoner", true],
  ["deepseek-chat", false],
  ["qwen3-235b-a22b-thinking-2507", true],
  ["qwen/qwen3-next-80b-a3b-thinking", true],
  ["qwen3-max", false],
])("%s thinks before it sends anything: %s", (name, thinks) => {
  expect(thinksSilently(name)).toBe(thinks);
});
