import { describe, expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { english } from "../../scripts/testing/english.ts";
import type { JsonObject } from "./json.ts";
import { planForm } from "./plan-form.ts";
import { problemsOf } from "./validator.ts";

const words = english("inputForm");

const catalog = createCatalog();

function problems(modelId: string, apiType: string, change: JsonObject) {
  const compiled = catalog.operation(modelId, apiType);
  if (!compiled) throw new Error(`${modelId} has no ${apiType}`);
  const { model, operation } = compiled;
  const plan = planForm(model, operation, words);
  return problemsOf({ ...operation.example, ...change }, operation, plan, words).map(
    ({ path, field, message }) => `${path} | ${field} | ${message}`,
  );
}

describe("messages", () => {
  const chat = (messages: unknown[]) => problems("svc/chat-1", "chat-completions", { messages });

  it("reports only missing fields of the message's role", () => {
    expect(chat([{ role: "user", content: "" }])).toEqual([
      "/messages/0/content | Message 1, content | This field is required.",
    ]);
    expect(
      chat([
        { role: "user", content: "Hi" },
        { role: "tool", content: "42" },
      ]),
    ).toEqual(["/messages/1/tool_call_id | Message 2, tool call id | This field is required."]);
  });

  it("requires content or tool calls of an assistant's message", () => {
    expect(chat([{ role: "assistant" }])).toEqual(["/messages/0 | Message 1 | Enter content or tool calls."]);
    expect(chat([{ role: "assistant", content: null, tool_calls: [] }])).toEqual([
      "/messages/0/tool_calls | Message 1, tool calls | Add at least 1. There are none yet.",
    ]);
  });

  it("checks inside tool calls", () => {
    const call = { id: "call_1", type: "function", function: { name: "", arguments: "{}" } };
    expect(chat([{ role: "assistant", tool_calls: [call] }])).toEqual([
      "/messages/0/tool_calls/0/function/name | Message 1, tool calls 1 function name | This field is required.",
    ]);
  });

  it("reports an unknown role once", () => {
    expect(chat([{ role: "critic", content: "No" }])).toHaveLength(1);
  });

  it("reports a problem only for the wrong message", () => {
    const good = { role: "user", content: "Hi" };
    expect(chat([good, { role: "system", content: "" }, good])).toEqual([
      "/messages/1/content | Message 2, content | This field is required.",
    ]);
  });
});

it("counts an emoji as one character, as the gateway does", () => {
  const speech = (input: string) => problems("svc/tts-b-1", "text-to-speech", { input });
  expect(speech("😀".repeat(600))).toEqual([]);
  expect(speech("😀".repeat(601))).toEqual(["/input | Text | Shorten this to 600 characters. It has 601."]);
});

it.each([
  [1, "Choose a whole number from 2 to 30, or let the model decide (-1)."],
  [31, "Choose a whole number from 2 to 30, or let the model decide (-1)."],
])("advises how to fix a duration of %i", (duration, fix) => {
  expect(problems("svc/adult-vid-1", "video-generation", { duration })).toEqual([
    `/duration | Duration | ${fix}`,
  ]);
});

it.each([-1, 2, 30])("accepts a duration of %i", (duration) => {
  expect(problems("svc/adult-vid-1", "video-generation", { duration })).toEqual([]);
});

it("names both images of a swap", () => {
  const confirmed = { person_rights_confirmed: true };
  const image = "https://example.com/a.png";
  expect(problems("svc/swap-1", "image-editing", { ...confirmed, image: [image] })).toEqual([
    "/image | Image | Use exactly 2. There is 1.",
  ]);
  expect(problems("svc/swap-1", "image-editing", { ...confirmed, image: ["", image] })).toEqual([
    "/image/0 | Target (the image to change) | This field is required.",
  ]);
});

it("refuses keys that a LoRA does not have", () => {
  const lora = { url: "https://example.com/a.safetensors", scale: 5, weight: 1 };
  expect(problems("svc/adult-i2v-3", "video-generation", { loras: [lora] })).toEqual([
    "/loras/0/scale | LoRA 1, scale | Choose a number from 0 to 4.",
    "/loras/0/weight | LoRA 1, weight | Remove this unknown key.",
  ]);
});

it("checks limits that are not in the schema", () => {
  expect(problems("svc/tts-b-1", "text-to-speech", { input: "a".repeat(601) })).toEqual([
    "/input | Text | Shorten this to 600 characters. It has 601.",
  ]);
  expect(
    problems("svc/img-gen-a-1", "image-editing", { image: Array(10).fill("https://example.com/a.png") }),
  ).toEqual(["/image | Image | Use at most 9 images. There are 10."]);
  expect(problems("svc/chat-2", "chat-completions", { max_tokens: 40_000 })).toEqual([
    "/max_tokens | Max tokens | Choose a whole number from 1 to 32,768.",
  ]);
});

it("names the only number that a range allows", () => {
  expect(problems("svc/adult-img-1", "image-generation", { n: 2 }).join()).toMatch(/Must be 1\.$/);
});

it("lists the possible choices", () => {
  expect(problems("svc/img-gen-b", "image-generation", { quality: "best", size: "10x10" })).toEqual([
    "/size | Size | Choose one of 1024x1024, 1536x1024, 1024x1536, 2048x2048, 2048x1152, 3840x2160, 2160x3840.",
    "/quality | Quality | Choose one of low, medium, high.",
  ]);
});
