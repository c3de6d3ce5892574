import OpenAI, { toFile } from "openai";
import { beforeEach, describe, expect, it } from "vitest";
import { landscapeImage, smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startOpenAiGateway } from "../testing/openai-gateway.ts";
import { startOpenAiServer } from "../testing/openai-server.ts";
import { bytesOf, type Seen } from "../testing/upstream-server.ts";

const model = "upstream-model";
const png = () => toFile(bytesOf(smallImage), "image-1.png", { type: "image/png" });
const jpeg = () => toFile(bytesOf(landscapeImage), "image-2.jpeg", { type: "image/jpeg" });

/** The parts of a request that an upstream can distinguish. */
async function shapeOf(seen: Seen) {
  const type = seen.headers["content-type"]?.split(";")[0];
  const fields = type === "multipart/form-data" ? (await seen.form()).sort() : seen.json();
  return { method: seen.method, path: seen.path, type, fields };
}

/** These calls use OpenAI's own types, and upstreams expect what OpenAI's client sends. */
describe("each request to an upstream equals the one that OpenAI's own client sends", () => {
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() => startOpenAiGateway(upstream));
  const client = shared(() => new OpenAI({ baseURL: `${upstream.origin}/v1`, apiKey: "any", maxRetries: 0 }));
  beforeEach(() => {
    upstream.seen.length = 0;
  });

  const same = async (path: string, body: object, theirs: () => Promise<unknown>) => {
    const { status, body: answer } = await mapped.post(path, body);
    if (status === 202) await mapped.ended(String(answer.id));
    expect(answer.error ?? null).toBeNull();
    await theirs();
    const sent = upstream.seen.filter(({ method }) => method === "POST");
    expect(sent).toHaveLength(2);
    expect(await shapeOf(upstream.at(0))).toEqual(await shapeOf(sent[1] as Seen));
  };

  const chat = {
    messages: [
      { role: "system", content: "Be short." },
      { role: "user", content: "What is this?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "a lake" },
    ],
    tools: [
      {
        type: "function",
        function: { name: "look", parameters: { type: "object", properties: {} }, strict: true },
      },
    ],
    tool_choice: "auto",
    parallel_tool_calls: false,
    response_format: {
      type: "json_schema",
      json_schema: { name: "answer", schema: { type: "object", properties: { text: { type: "string" } } } },
    },
    temperature: 0.2,
    top_p: 0.9,
    stop: ["END"],
    seed: 7,
    frequency_penalty: 0.1,
    presence_penalty: 0.1,
    logit_bias: { "50256": -100 },
  } as const;
  /** The gateway's route sets this field. */
  const tier = { service_tier: "default" } as const;

  it("a chat with everything that one may contain", async () => {
    const { messages, tools, stop, ...rest } = chat;
    const mutable = { ...rest, messages: [...messages] as never, tools: [...tools], stop: [...stop] };
    await same("/chat/completions", { model: "svc/chat-1", ...chat, max_tokens: 30 }, () =>
      client.chat.completions.create({ ...mutable, model, max_completion_tokens: 30, ...tier }),
    );
  });

  it("a streamed chat", async () => {
    const messages = [{ role: "user" as const, content: "Hello" }];
    await same("/chat/completions", { model: "svc/chat-1", messages, stream: true }, async () => {
      const stream = await client.chat.completions.create({
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...tier,
      });
      for await (const _ of stream);
    });
  });

  it("speech", async () => {
    const speech = { input: "Good evening.", voice: "Ethan" };
    await same("/audio/speech", { model: "svc/tts-b-2", ...speech }, () =>
      client.audio.speech.create({ ...speech, model: "tts-1", response_format: "wav" }),
    );
  });

  it.each(["json", "verbose_json"] as const)("a transcription as %s", async (response_format) => {
    const file = await toFile(bytesOf(speechAudio), "recording.wav", { type: "audio/wav" });
    const asked = { model: "svc/asr-1", audio: speechAudio, response_format };
    await same("/audio/transcriptions", asked, () =>
      client.audio.transcriptions.create({ file, model, response_format }),
    );
  });

  it("a transcription with a list as one of its fields, set by the route", async () => {
    const file = await toFile(bytesOf(speechAudio), "recording.wav", { type: "audio/wav" });
    await same("/audio/transcriptions", { model: "svc/asr-2", audio: speechAudio }, () =>
      client.audio.transcriptions.create({ file, model, response_format: "json", include: ["logprobs"] }),
    );
  });

  it("a picture", async () => {
    const picture = { prompt: "a red lighthouse", n: 1, size: "1024x1024" } as const;
    await same("/images/generations", { model: "svc/img-gen-a-1", ...picture }, () =>
      client.images.generate({ ...picture, model }),
    );
    upstream.seen.length = 0;
    const fine = {
      prompt: "a red lighthouse",
      quality: "high",
      size: "1536x1024",
      output_format: "jpeg",
    } as const;
    await same("/images/generations", { model: "svc/img-gen-b", ...fine }, () =>
      client.images.generate({ ...fine, model: "gpt-image" }),
    );
  });

  it("an edit of one picture and of several", async () => {
    const edit = { model: "svc/img-gen-a-1", prompt: "add snow" };
    await same("/images/edits", { ...edit, image: smallImage }, async () =>
      client.images.edit({ image: await png(), prompt: "add snow", model }),
    );
    upstream.seen.length = 0;
    await same("/images/edits", { ...edit, image: [smallImage, landscapeImage] }, async () =>
      client.images.edit({ image: [await png(), await jpeg()], prompt: "add snow", model }),
    );
  });

  it("a video", async () => {
    const video = { model: "svc/vid-t2v", prompt: "waves", duration: 4, resolution: "720P" };
    await same("/videos", video, () =>
      client.videos.create({ model, prompt: "waves", seconds: "4", size: "1280x720" }),
    );
  });
});
