import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import OpenAI, { toFile } from "openai";
import Replicate from "replicate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

const messages = [{ role: "user" as const, content: "Say hello to the harbour" }];

/** Unmodified clients, pointed at the gateway and nothing else changed. */
describe("clients of other services work unmodified", () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let openai: OpenAI;
  beforeAll(async () => {
    gateway = await startTestGateway();
    account = await gateway.createAccount();
    openai = new OpenAI({ baseURL: gateway.url, apiKey: account.key });
  });
  afterAll(() => gateway.close());

  it("openai: models.list and models.retrieve", async () => {
    const page = await openai.models.list();
    expect(page.data).toHaveLength(32);
    expect(await openai.models.retrieve("svc/chat-1")).toMatchObject({ id: "svc/chat-1", object: "model" });
  });

  it("openai: chat without a stream", async () => {
    const answer = await openai.chat.completions.create({ model: "svc/chat-1", messages });
    expect(answer.choices[0]?.message.content).toContain("harbour");
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    expect(answer._request_id).toMatch(/^req_/);
  });

  it("openai: a streamed chat with its usage", async () => {
    const stream = await openai.chat.completions.create({
      model: "svc/chat-1",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    const ids = new Set<string>();
    let tokens = 0;
    for await (const chunk of stream) {
      ids.add(chunk.id);
      text += chunk.choices[0]?.delta.content ?? "";
      tokens = chunk.usage?.total_tokens ?? tokens;
    }
    expect(text).toContain("harbour");
    expect(ids.size).toBe(1);
    expect(tokens).toBeGreaterThan(0);
  });

  it("openai: a tool call", async () => {
    const answer = await openai.chat.completions.create({
      model: "svc/chat-1",
      messages: [{ role: "user", content: '/tool weather {"city":"Bergen"}' }],
      tools: [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }],
    });
    const call = answer.choices[0]?.message.tool_calls?.[0];
    expect(call).toMatchObject({ type: "function", function: { name: "weather" } });
    expect(answer.choices[0]?.finish_reason).toBe("tool_calls");
  });

  it("openai: an error has its code, param and request id", async () => {
    const error = await openai.chat.completions
      .create({ model: "svc/chat-1", messages, temperature: 9 })
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, code: "invalid_parameter", param: "temperature" });
  });

  it("openai: speech, and a transcription of that file", async () => {
    const speech = await openai.audio.speech.create({
      model: "svc/tts-b-1",
      input: "Hello from the harbour.",
      voice: "Cherry",
    });
    const bytes = Buffer.from(await speech.arrayBuffer());
    expect(bytes.toString("latin1", 8, 12)).toBe("WAVE");
    const heard = await openai.audio.transcriptions.create({
      model: "svc/asr-1",
      file: await toFile(bytes, "speech.wav", { type: "audio/wav" }),
    });
    expect(heard.text).toContain("Sandbox");
  });

  it("openai: images.generate as URLs and as base64, and images.edit with files", async () => {
    const made = await openai.images.generate({
      model: "svc/img-gen-a-1",
      prompt: "a red lighthouse",
      size: "512x512",
    });
    const url = made.data?.[0]?.url ?? "";
    const png = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(png.toString("latin1", 1, 4)).toBe("PNG");
    const inline = await openai.images.generate({
      model: "svc/img-gen-a-1",
      prompt: "a red lighthouse",
      size: "512x512",
      response_format: "b64_json",
    });
    expect(Buffer.from(inline.data?.[0]?.b64_json ?? "", "base64").toString("latin1", 1, 4)).toBe("PNG");
    const edited = await openai.images.edit({
      model: "svc/img-gen-a-1",
      prompt: "make it dusk",
      image: [await toFile(png, "lighthouse.png", { type: "image/png" })],
    });
    expect(edited.data?.[0]?.url).toContain("/v1/files/outputs/");
  });

  it("openai: a video from create to its bytes", async () => {
    const created = await openai.videos.create({
      model: "svc/vid-t2v" as "sora-2",
      prompt: "waves",
      seconds: "2" as "4",
    });
    let video = await openai.videos.retrieve(created.id);
    while (video.status === "queued" || video.status === "in_progress") {
      await gateway.context.changes.next(video.id, AbortSignal.timeout(60_000));
      video = await openai.videos.retrieve(video.id);
    }
    expect(video.status).toBe("completed");
    const content = await openai.videos.downloadContent(video.id);
    expect(Buffer.from(await content.arrayBuffer()).toString("latin1", 4, 8)).toBe("ftyp");
  }, 60_000);

  it("replicate: run, create with wait, and cancel", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url, useFileOutput: false });
    const output = await replicate.run("svc/vid-t2v", { input: { prompt: "waves", duration: 2 } });
    expect(output).toContain("/v1/files/outputs/");
    const created = await replicate.predictions.create({
      model: "svc/vid-t2v",
      input: { prompt: "a long one", duration: 30 },
    });
    expect(created.status).toBe("starting");
    expect((await replicate.predictions.cancel(created.id)).status).toBe("canceled");
  }, 60_000);

  it("replicate: run of a sync model gives its output", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url, useFileOutput: false });
    const images = await replicate.run("svc/img-gen-a-1", {
      input: { prompt: "a red lighthouse", size: "256x256" },
    });
    expect((images as unknown as string[])[0]).toContain("/v1/files/outputs/");
    expect(await replicate.run("svc/chat-1", { input: { messages } })).toContain("harbour");
    const speech = await replicate.run("svc/tts-b-1", { input: { input: "Hello." } });
    expect(speech).toMatch(/^data:audio\/wav;base64,/);
  });

  it("ai + @ai-sdk/openai-compatible: generateText and streamText", async () => {
    const svc = createOpenAICompatible({ name: "svc", baseURL: gateway.url, apiKey: account.key });
    const { text } = await generateText({ model: svc("svc/chat-1"), messages });
    expect(text).toContain("harbour");
    const streamed = streamText({ model: svc("svc/chat-1"), messages });
    let joined = "";
    for await (const part of streamed.textStream) joined += part;
    expect(joined).toContain("harbour");
  });
});
