import { describe, expect, it } from "vitest";
import { smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const image = { model: "svc/img-gen-a-1", prompt: "a red lighthouse" };
const edit = { ...image, image: [smallImage] };
const asyncImage = {
  model: "svc/img-gen-b",
  prompt: "a red lighthouse",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};
const speech = { model: "svc/tts-b-1", input: "Hello." };
const video = { model: "svc/vid-t2v", prompt: "waves", duration: 2 };
const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
const heard = { model: "svc/asr-1", audio: speechAudio };

describe("a parameter that needs another form of answer than the operation has", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount("adult"));
  const post = async (path: string, body: object) => {
    const answer = await call(gateway, account.key, "POST", path, body);
    return { ...answer, error: answer.body.error as { message: string } | undefined };
  };

  it.each<[string, string, object, RegExp]>([
    ["stream", "/images/generations", { ...image, stream: true }, /image-generation/],
    ["stream", "/images/edits", { ...edit, stream: true }, /image-editing/],
    ["stream", "/audio/transcriptions", { ...heard, stream: true, response_format: "srt" }, /json or text/],
    ["stream", "/audio/speech", { ...speech, stream: true }, /text-to-speech/],
    ["stream_format", "/audio/speech", { ...speech, stream_format: "sse" }, /text-to-speech/],
    ["stream", "/videos", { ...video, stream: true }, /video-generation/],
    ["size", "/images/generations", { ...image, size: "16x16" }, /64 to 3840 pixels/],
    ["size", "/images/generations", { ...image, size: "99999x99999" }, /64 to 3840 pixels/],
    ["size", "/images/edits", { ...edit, size: "5000x64" }, /64 to 3840 pixels/],
    ["size", "/images/generations", { ...image, size: "large" }, /1024x1024/],
    ["size", "/images/generations", { ...asyncImage, size: "512x512" }, /"1024x1024", "1536x1024"/],
    [
      "size",
      "/images/generations",
      { ...image, model: "svc/adult-img-1", size: "512x512" },
      /width \(256 to 1536\) and height \(256 to 1536\)/,
    ],
    ["size", "/videos", { ...video, size: "640x480" }, /resolution \(720P, 1080P\)/],
    ["seconds", "/videos", { ...video, seconds: "4" }, /duration \(2 to 30\)/],
    ["input_reference", "/videos", { ...video, input_reference: smallImage }, /video-generation/],
    ["n", "/videos", { ...video, n: 2 }, /video-generation/],
    ["output_format", "/images/generations", { ...image, output_format: "webp" }, /image-generation/],
    ["background", "/images/generations", { ...image, background: "transparent" }, /image-generation/],
    ["mask", "/images/edits", { ...edit, mask: smallImage }, /image-editing/],
    ["image", "/images/generations", { ...image, image: [smallImage] }, /image-editing.*\/v1\/images\/edits/],
    ["image", "/images/generations", { ...asyncImage, image: smallImage }, /These models have it: svc\//],
    ["width", "/images/generations", { ...image, width: 640 }, /Set size/],
    ["negative_prompt", "/images/generations", { ...image, negative_prompt: "people" }, /image-generation/],
    ["seed", "/images/generations", { ...image, seed: 0 }, /image-generation/],
    ["quality", "/images/generations", { ...image, quality: "hd" }, /These models have it: svc\/img-gen-b/],
    ["image", "/videos", { ...video, image: smallImage }, /These models have it: svc\//],
    ["first_frame", "/videos", { ...video, first_frame: smallImage }, /These models have it: svc\//],
    ["audio", "/videos", { ...video, audio: false }, /These models have it: svc\//],
    ["speed", "/audio/speech", { ...speech, speed: 1.5 }, /text-to-speech/],
    ["instructions", "/audio/speech", { ...speech, instructions: "whisper" }, /text-to-speech/],
    ["functions", "/chat/completions", { ...chat, functions: [{ name: "f" }] }, /Set tools/],
    ["modalities", "/chat/completions", { ...chat, modalities: ["text", "audio"] }, /chat-completions/],
    ["response_format", "/images/generations", { ...asyncImage, response_format: "b64_json" }, /url/],
    ["response_format", "/videos", { ...video, response_format: "b64_json" }, /video-generation/],
    ["response_format", "/audio/speech", { ...speech, response_format: "opus" }, /wav or mp3 or pcm/],
    [
      "response_format",
      "/audio/transcriptions",
      { ...heard, response_format: "docx" },
      /json or text or srt or vtt or verbose_json/,
    ],
  ])("is refused: %s of %s", async (param, path, body, message) => {
    const { status, error } = await post(path, body);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: "invalid_parameter", param });
    expect(error?.message).toMatch(message);
  });

  it("is accepted with its neutral value", async () => {
    const plain = {
      stream: false,
      n: 1,
      size: "auto",
      response_format: null,
      mask: null,
      negative_prompt: "",
    };
    expect((await post("/chat/completions", { ...chat, modalities: ["text"], functions: [] })).status).toBe(
      200,
    );
    expect((await post("/audio/transcriptions", { ...heard, ...plain })).status).toBe(200);
    expect((await post("/audio/speech", { ...speech, ...plain, stream_format: "audio" })).status).toBe(200);
  });

  it("is only listed as ignored if it is a hint", async () => {
    const { status, headers } = await post("/audio/transcriptions", {
      ...heard,
      language: "en",
      prompt: "names of boats",
    });
    expect(status).toBe(200);
    expect(headers.get("x-svc-ignored-params")).toBe("language, prompt");
  });

  it("is refused for a key that would be limited to unknown models", async () => {
    const key = (body: object) => post("/keys", { name: "narrow", ...body });
    const unknown = await key({ models: ["svc/chat-1", "svc/nothing", "gpt-9"] });
    expect(unknown.status).toBe(400);
    expect(unknown.error).toMatchObject({ code: "invalid_parameter", param: "models" });
    expect(unknown.error?.message).toContain("svc/nothing, gpt-9");
    expect((await key({ models: [] })).status).toBe(400);
    expect((await key({ regions: ["mars"] })).status).toBe(400);
    expect((await key({ models: ["svc/chat-1"], regions: ["us-virginia"] })).status).toBe(201);
  });
});
