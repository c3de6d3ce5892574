import { describe, expect, test } from "vitest";
import { createCatalog } from "./load.ts";

const catalog = createCatalog();

function operation(id: string, apiType: string) {
  const found = catalog.operation(`svc/${id}`, apiType);
  if (!found) throw new Error(`no ${id}`);
  return found;
}

describe("media of a body", () => {
  test.each([
    ["swap-1", "image-editing", { image: ["a", "b"] }, ["/image/0 image a", "/image/1 image b"]],
    [
      "adult-i2v-1",
      "video-generation",
      { image: "a", audio: true, audio_url: "b" },
      ["/image image a", "/audio_url audio b"],
    ],
    [
      "vid-r2v",
      "video-generation",
      {
        media: [
          { type: "first_frame", url: "a" },
          { type: "reference_video", url: "b", reference_voice: "c" },
        ],
      },
      ["/media/0/url image a", "/media/1/url video b", "/media/1/reference_voice audio c"],
    ],
    [
      "vid-edit",
      "video-generation",
      { media: ["a", { url: "b" }, 7] },
      ["/media/0 any a", "/media/1/url any b"],
    ],
    ["img-gen-a-1", "image-editing", { image: "a" }, ["/image image a"]],
    ["img-gen-a-1", "image-editing", { image: ["a", "b"] }, ["/image/0 image a", "/image/1 image b"]],
    ["adult-i2v-3", "video-generation", { image: "a", loras: [{ url: "b", scale: 1 }] }, ["/image image a"]],
    [
      "adult-vid-1",
      "video-generation",
      { first_frame: "a", reference_audios: ["b"] },
      ["/first_frame image a", "/reference_audios/0 audio b"],
    ],
    ["voice-2", "voice-management", { url: "a" }, ["/url audio a"]],
    ["chat-1", "chat-completions", { messages: [] }, []],
  ])("%s %s %j", async (id, apiType, body, expected) => {
    const found = operation(id, apiType).mediaOf(body as Record<string, unknown>);
    expect(found.map(({ path, kind, value }) => `${path} ${kind} ${value}`)).toEqual(expected);
  });
});

describe("multipart text", () => {
  test.each([
    ["img-gen-a-1", "image-editing", { n: "2", image: "a", prompt: "7" }, { n: 2, image: "a", prompt: "7" }],
    ["adult-edit", "image-editing", { image: "a", seed: "5" }, { image: ["a"], seed: 5 }],
    [
      "adult-vid-1",
      "video-generation",
      { duration: "-1", audio: "false", reference_images: '["a","b"]' },
      { duration: -1, audio: false, reference_images: ["a", "b"] },
    ],
    [
      "vid-t2v",
      "video-generation",
      { parameters: '{"x":1}', duration: "soon" },
      { parameters: { x: 1 }, duration: "soon" },
    ],
  ])("%s %s %j", async (id, apiType, body, expected) => {
    const coerced: Record<string, unknown> = { ...body };
    await operation(id, apiType).coerce(coerced);
    expect(coerced).toEqual(expected);
  });

  test("leaves texts as they are whose end would have to be sought", async () => {
    const body = { parameters: `${" ".repeat(2_000)}{}`, duration: `${" ".repeat(2_000)}5` };
    const coerced = { ...body };
    await operation("vid-t2v", "video-generation").coerce(coerced);
    expect(coerced).toEqual(body);
  });
});

test("reports unknown fields, but not those that the gateway or the upstream reads", () => {
  expect(
    operation("tts-b-1", "text-to-speech").unlisted({ model: "", input: "", region: "", speed: 2 }),
  ).toEqual(["speed"]);
  expect(
    operation("chat-2", "chat-completions").unlisted({ messages: [], tools: [], max_tokens: 1, x: 1 }),
  ).toEqual(["x"]);
  expect(operation("img-gen-a-1", "image-editing").unlisted({ prompt: "", image: [], size: "" })).toEqual([]);
});
