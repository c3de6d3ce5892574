import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { idProblem, proposedId } from "./model-id.ts";

it.each([
  ["black-forest-labs/flux-dev", "black-forest-labs/flux-dev"],
  ["acme/whisper:5c7d5dc6dd8b", "acme/whisper"],
  ["fal-ai/flux/dev", "fal-ai/flux-dev"],
  ["gpt-5-mini", "own/gpt-5-mini"],
  ["Qwen/Qwen3 32B", "qwen/qwen3-32b"],
  ["svc/chat-1:chat-completions", "own/chat-1"],
  ["  ", ""],
])("suggests an id for %s", (name, id) => {
  expect(proposedId(name)).toBe(id);
  if (id) expect(idProblem(english("operatorModels"), id)).toBe(true);
});

it("explains why an id cannot be used", () => {
  expect(idProblem(english("operatorModels"), "Acme/Flux")).toMatch(/lower-case letters/);
  expect(idProblem(english("operatorModels"), "svc/chat-9")).toMatch(/is for built-in models/);
});
