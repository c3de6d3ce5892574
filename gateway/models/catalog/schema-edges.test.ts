import { describe, expect, test } from "vitest";
import { createCatalog } from "./load.ts";

const catalog = createCatalog();

type Body = Record<string, unknown>;

/** Validates the example of an entry's operation with changes; `undefined` removes a key. */
function problems(id: string, changes: Body, apiType?: string) {
  const model = catalog.model(`svc/${id}`);
  const compiled = catalog.operation(`svc/${id}`, apiType ?? model?.api_types[0] ?? "");
  if (!compiled) throw new Error(`no ${id}`);
  const body: Body = structuredClone({ ...compiled.operation.example, ...changes });
  for (const [name, value] of Object.entries(changes)) if (value === undefined) delete body[name];
  return { found: compiled.validate(body), body };
}

const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const lora = { url: "https://example.com/a.safetensors", scale: 4 };
const items = (count: number, item: unknown) => Array.from({ length: count }, () => item);

describe("accepted", () => {
  test.each<[string, Body, string?]>([
    ["adult-vid-1", { duration: -1 }],
    ["adult-vid-1", { duration: 30 }],
    ["adult-vid-1", { prompt: "" }],
    [
      "adult-vid-1",
      { reference_images: items(10, "https://example.com/a.png"), reference_videos: items(5, "v") },
    ],
    ["adult-vid-2", { resolution: "4K" }],
    ["adult-vid-3", { prompt_extend: false, seed: 2147483647 }],
    [
      "vid-r2v",
      { duration: 10, media: items(10, { url: "u", type: "reference_video", reference_voice: "v" }) },
    ],
    ["vid-t2v", { media: [], duration: 30 }],
    ["vid-edit", { media: [{ anything: 1 }, "https://example.com/a.mp4"] }],
    ["img-gen-a-1", { n: 4, prompt: "x".repeat(5000), parameters: { watermark: false } }],
    ["img-gen-a-1", { image: ["https://example.com/a.png"], something_new: 1 }, "image-editing"],
    ["img-gen-a-1", { image: "https://example.com/a.png" }, "image-editing"],
    ["chat-1", { messages: [{ role: "assistant", content: null }] }],
    [
      "chat-1",
      {
        messages: [
          { role: "assistant", tool_calls: items(128, call) },
          { role: "tool", content: "", tool_call_id: "call_1" },
        ],
      },
    ],
    ["chat-1", { max_tokens: 32768, temperature: 2, reasoning_effort: "high", stream: true }],
    ["chat-2", { temperature: 1.5, top_p: 0.3, stop: null, some_future_field: {} }],
    ["tts-b-1", { voice: undefined }],
    ["voice-1", { preferred_name: "x".repeat(16), page_size: 100, page_index: 10000 }],
    ["voice-2", { prefix: "x".repeat(10), max_prompt_audio_length: 3.5, language_hints: ["en"] }],
    ["adult-i2v-2", { duration: 8, resolution: "720P" }],
    ["adult-i2v-3", { loras: items(3, lora) }],
    ["adult-img-2", { width: 2560, height: 256 }],
    ["swap-1", { person_rights_confirmed: false }],
    ["adult-upscale", { duration: 60, resolution: "4K" }],
  ])("%s %j", (id, changes, apiType) => {
    expect(problems(id, changes, apiType).found).toEqual([]);
  });
});

describe("refused, naming the field", () => {
  test.each<[string, Body, string, string, string?]>([
    ["adult-vid-1", { duration: 1 }, "/duration", "must be -1 or from 2 to 30"],
    ["adult-vid-1", { duration: 31 }, "/duration", "must be -1 or from 2 to 30"],
    ["adult-vid-1", { duration: 2.5 }, "/duration", "must be a whole number"],
    ["adult-vid-1", { resolution: "2K" }, "/resolution", 'must be one of "480P", "720P", "1080P"'],
    ["adult-vid-2", { resolution: "720P" }, "/resolution", 'must be one of "1080P", "2K", "4K"'],
    ["adult-vid-1", { audio: undefined }, "/audio", "is required"],
    ["adult-vid-1", { reference_audios: items(6, "a") }, "/reference_audios", "must have at most 5 items"],
    ["adult-vid-1", { reference_images: [""] }, "/reference_images/0", "must not be empty"],
    ["adult-vid-1", { seed: 2147483648 }, "/seed", "must be at most 2147483647"],
    ["vid-r2v", { duration: 11 }, "/duration", "must be at most 10"],
    ["vid-r2v", { media: [] }, "/media", "must have 1 to 10 items"],
    [
      "vid-r2v",
      { media: [{ url: "u", type: "video" }] },
      "/media/0/type",
      'must be one of "reference_image", "reference_video", "first_frame"',
    ],
    ["vid-t2v", { media: items(11, {}) }, "/media", "must have at most 10 items"],
    ["vid-t2v", { prompt: "x".repeat(2001) }, "/prompt", "must be at most 2000 characters long"],
    ["swap-1", { image: ["a"] }, "/image", "must have exactly 2 items"],
    ["swap-1", { image: ["a", "b", "c"] }, "/image", "must have exactly 2 items"],
    ["swap-1", { person_rights_confirmed: undefined }, "/person_rights_confirmed", "is required"],
    ["swap-1", { person_rights_confirmed: "yes" }, "/person_rights_confirmed", "must be true or false"],
    ["adult-edit", { image: "https://example.com/a.png" }, "/image", "must be a list"],
    ["adult-i2v-2", { duration: 6 }, "/duration", "must be one of 5, 8"],
    ["adult-i2v-3", { loras: [{ ...lora, weight: 1 }] }, "/loras/0/weight", "is not a known key here"],
    [
      "adult-i2v-3",
      { low_noise_loras: [{ url: "a", scale: 4.1 }] },
      "/low_noise_loras/0/scale",
      "must be at most 4",
    ],
    ["adult-i2v-3", { high_noise_loras: items(4, lora) }, "/high_noise_loras", "must have at most 3 items"],
    ["adult-img-1", { width: 1537 }, "/width", "must be at most 1536"],
    ["adult-img-1", { n: 2 }, "/n", "must be at most 1"],
    [
      "img-gen-b",
      { size: "512x512" },
      "/size",
      'must be one of "1024x1024", "1536x1024", "1024x1536", "2048x2048", "2048x1152", "3840x2160", "2160x3840"',
    ],
    ["img-gen-a-1", { image: 7 }, "/image", "must be a string or a list", "image-editing"],
    ["img-gen-a-1", { prompt: undefined }, "/prompt", "is required", "image-editing"],
    ["voice-1", { action: "rename" }, "/action", 'must be one of "create", "list", "query", "delete"'],
    ["voice-2", { prefix: "x".repeat(11) }, "/prefix", "must be at most 10 characters long"],
    ["chat-1", { messages: [{ role: "assistant" }] }, "/messages/0", "needs content or tool_calls"],
    [
      "chat-1",
      { messages: [{ role: "assistant", tool_calls: [] }] },
      "/messages/0/tool_calls",
      "must have 1 to 128 items",
    ],
    [
      "chat-1",
      { messages: [{ role: "robot", content: "x" }] },
      "/messages/0/role",
      'must be one of "system", "user", "assistant", "tool"',
    ],
    ["chat-1", { messages: [{ content: "x" }] }, "/messages/0/role", "is required"],
    ["chat-1", { messages: [{ role: "tool", content: "x" }] }, "/messages/0/tool_call_id", "is required"],
    ["chat-1", { messages: [{ role: "user", content: "" }] }, "/messages/0/content", "must not be empty"],
    ["chat-1", { messages: [] }, "/messages", "must have at least 1 item"],
    ["chat-1", { region: "cn-beijing" }, "/region", 'must be one of "us-oregon", "us-virginia"'],
    ["chat-1", { model: "svc/chat-2" }, "/model", 'must be "svc/chat-1"'],
    ["chat-2", { max_tokens: "many" }, "/max_tokens", "must be a whole number or null"],
  ])("%s %j", (id, changes, path, message, apiType) => {
    expect(problems(id, changes, apiType).found).toEqual([{ path, message, keyword: expect.any(String) }]);
  });

  test("a misspelt key is refused with the key that was probably meant", () => {
    expect(problems("vid-t2v", { prompt: undefined, promt: "a pine" }).found).toMatchObject([
      { path: "/prompt", message: "is required; did you misspell it as promt?" },
    ]);
    expect(problems("adult-i2v-3", { loras: [{ url: lora.url, scal: 1 }] }).found).toMatchObject([
      { path: "/loras/0/scale", message: "is required; did you misspell it as scal?" },
      { path: "/loras/0/scal", message: "is not a known key here; did you mean scale?" },
    ]);
  });

  test("mentions only the branch for the message's own role", () => {
    const messages = [{ role: "user" }, { role: "system", content: 1 }];
    expect(problems("chat-1", { messages }).found).toEqual([
      { path: "/messages/0/content", keyword: "required", message: "is required" },
      { path: "/messages/1/content", keyword: "type", message: "must be a string" },
    ]);
  });
});

test("fills in the defaults of the schema", () => {
  const bare = { duration: undefined, resolution: undefined };
  expect(problems("adult-i2v-1", bare).body).toMatchObject({
    audio: true,
    duration: 5,
    resolution: "1080P",
    prompt_extend: true,
  });
  expect(problems("adult-i2v-3", { loras: undefined }).body).toMatchObject({
    loras: [],
    low_noise_loras: [],
    high_noise_loras: [],
  });
  const size = { width: undefined, height: undefined };
  expect(problems("adult-img-1", size).body).toMatchObject({
    width: 1024,
    height: 1536,
    prompt_extend: true,
  });
  expect(problems("adult-img-2", size).body).toMatchObject({
    width: 1024,
    height: 1024,
    prompt_extend: false,
  });
  expect(problems("adult-vid-1", {}).body).not.toHaveProperty("prompt_extend");
});
