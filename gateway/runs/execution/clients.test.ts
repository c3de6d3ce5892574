import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import { fileTypeFromBuffer } from "file-type";
import OpenAI, { toFile } from "openai";
import Replicate from "replicate";
import { describe, expect, it } from "vitest";
import { landscapeImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const messages = [{ role: "user" as const, content: "Say hello to the harbour" }];

/** Unmodified clients: only the base URL points at the gateway. */
describe("clients of other services work unmodified", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  const openai = shared(() => new OpenAI({ baseURL: gateway.url, apiKey: account.key }));

  it("openai: models.list and models.retrieve", async () => {
    const page = await openai.models.list();
    expect(page.data).toHaveLength(32);
    const retrieved = await openai.models.retrieve("svc/chat-1");
    expect(retrieved).toMatchObject({ id: "svc/chat-1", object: "model" });
    for (const model of [...page.data, retrieved])
      expect(new Date(model.created * 1000).toISOString()).toMatch(/^202\d-\d\d-\d\dT00:00:00/);
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
    const nested = await openai.chat.completions
      .create({ model: "svc/chat-1", messages: [...messages, { role: "user", content: "" }] })
      .catch((thrown: unknown) => thrown);
    expect(nested).toMatchObject({ status: 400, param: "messages[1].content" });
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
    expect(heard.usage).toEqual({ type: "duration", seconds: expect.any(Number) });
    expect(heard).toMatchObject({ svc_usage: { unit: "second", quantity: expect.any(Number) } });
  });

  it("openai: a transcription as text, subtitles and with its segments", async () => {
    const speech = await openai.audio.speech.create({
      model: "svc/tts-b-1",
      input: "Hello from the harbour. The boats are coming in.",
      voice: "Cherry",
    });
    const bytes = Buffer.from(await speech.arrayBuffer());
    const file = () => toFile(bytes, "speech.wav", { type: "audio/wav" });
    const heardAs = async (response_format: "text" | "srt" | "vtt") => {
      const { data, response } = await openai.audio.transcriptions
        .create({ model: "svc/asr-1", file: await file(), response_format })
        .withResponse();
      expect(Number(response.headers.get("x-svc-usage-seconds"))).toBeGreaterThan(0);
      return { text: String(data), type: response.headers.get("content-type") };
    };
    const clock = (point: string) => String.raw`\d\d:\d\d:\d\d${point}\d{3}`;
    const text = await heardAs("text");
    expect(text.type).toBe("text/plain; charset=utf-8");
    expect(text.text).toMatch(/^Sandbox transcription.*\n$/);
    const srt = await heardAs("srt");
    expect(srt.type).toBe("application/x-subrip; charset=utf-8");
    expect(srt.text).toMatch(new RegExp(`^1\n${clock(",")} --> ${clock(",")}\nSANDBOX.*harbour`));
    const vtt = await heardAs("vtt");
    expect(vtt.type).toBe("text/vtt; charset=utf-8");
    expect(vtt.text).toMatch(
      new RegExp(String.raw`^WEBVTT\n\n${clock("\\.")} --> ${clock("\\.")}\nSANDBOX.*harbour`),
    );
    const verbose = await openai.audio.transcriptions.create({
      model: "svc/asr-1",
      file: await file(),
      response_format: "verbose_json",
      timestamp_granularities: ["segment"],
    });
    expect(verbose.duration).toBeGreaterThan(1);
    expect(verbose.segments?.[0]).toMatchObject({ id: 0, text: expect.stringContaining("Hello") });
    expect(verbose.segments?.at(-1)?.end).toBeLessThanOrEqual(Number(verbose.duration) + 0.1);
  });

  it("openai: an unsupported parameter is refused, not ignored", async () => {
    const refusal = async (promise: PromiseLike<unknown>) => {
      const error = await promise.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      return (error as InstanceType<typeof OpenAI.BadRequestError>).param;
    };
    const recording = Buffer.from(speechAudio.slice(speechAudio.indexOf(",") + 1), "base64");
    const wav = await toFile(recording, "a.wav", { type: "audio/wav" });
    const image = { model: "svc/img-gen-a-1", prompt: "a red lighthouse" };
    expect(await refusal(openai.images.generate({ ...image, stream: true }))).toBe("stream");
    expect(
      await refusal(
        openai.audio.transcriptions.create({
          model: "svc/asr-1",
          file: wav,
          stream: true,
          response_format: "verbose_json",
        }),
      ),
    ).toBe("stream");
    expect(
      await refusal(
        openai.audio.transcriptions.create({
          model: "svc/asr-1",
          file: wav,
          response_format: "verbose_json",
          timestamp_granularities: ["word"],
        }),
      ),
    ).toBe("timestamp_granularities");
    expect(
      await refusal(
        openai.videos.create({ model: "svc/vid-t2v" as "sora-2", prompt: "waves", size: "1792x1024" }),
      ),
    ).toBe("size");
  });

  it("openai: a transcription as events", async () => {
    const recording = Buffer.from(speechAudio.slice(speechAudio.indexOf(",") + 1), "base64");
    const file = await toFile(recording, "a.wav", { type: "audio/wav" });
    const stream = await openai.audio.transcriptions.create({ model: "svc/asr-1", file, stream: true });
    let text = "";
    let done = "";
    for await (const event of stream) {
      if (event.type === "transcript.text.delta") text += event.delta;
      if (event.type === "transcript.text.done") done = event.text;
    }
    expect(text).toMatch(/^Sandbox transcription/);
    expect(done).toBe(text);
  });

  it("openai: images.generate as URLs and as base64, and images.edit with files", async () => {
    const made = await openai.images.generate({
      model: "svc/img-gen-a-1",
      prompt: "a red lighthouse",
      size: "512x512",
    });
    expect(made).toMatchObject({ svc_usage: { unit: "generation", quantity: 1 } });
    expect(made.usage).toBeUndefined();
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
    const { poll_url, svc_region, ...asRetrieved } = created as unknown as Record<string, unknown>;
    expect({ poll_url, svc_region }).toEqual({
      poll_url: `${gateway.url}/predictions/${created.id}`,
      svc_region: expect.stringMatching(/^cn-|^sg-/),
    });
    expect(asRetrieved).toMatchObject({ model: "svc/vid-t2v", object: "video", status: "queued" });
    expect(Object.keys(await openai.videos.retrieve(created.id))).toEqual(Object.keys(asRetrieved));
    let video = created;
    while (video.status === "queued" || video.status === "in_progress") {
      await gateway.context.changes.next(video.id, AbortSignal.timeout(60_000));
      video = await openai.videos.retrieve(video.id);
    }
    expect(video.status).toBe("completed");
    const content = await openai.videos.downloadContent(video.id);
    expect(Buffer.from(await content.arrayBuffer()).toString("latin1", 4, 8)).toBe("ftyp");
    const [newest] = (await openai.videos.list({ limit: 1 })).data;
    expect(newest).toMatchObject({ id: video.id, object: "video", status: "completed", seconds: "2" });
    expect(await openai.videos.delete(video.id)).toMatchObject({ id: video.id, deleted: true });
    await expect(openai.videos.downloadContent(video.id)).rejects.toThrow();
    const inJson = await fetch(`${gateway.url}/videos`, {
      method: "POST",
      headers: { ...bearer(), "content-type": "application/json" },
      body: JSON.stringify({ model: "svc/vid-t2v", prompt: "waves", seconds: "2", size: "1280x720" }),
    });
    const { id, seconds, size } = await inJson.json();
    expect({ seconds, size }).toEqual({ seconds: "2", size: "720P" });
    await fetch(`${gateway.url}/predictions/${id}/cancel`, { method: "POST", headers: bearer() });
  }, 60_000);

  it("openai: a picture of a video", async () => {
    const { id } = await openai.videos.create({
      model: "svc/vid-t2v" as "sora-2",
      prompt: "waves",
      seconds: "2" as "4",
    });
    for (let video = await openai.videos.retrieve(id); video.status !== "completed"; ) {
      await gateway.context.changes.next(id, AbortSignal.timeout(60_000));
      video = await openai.videos.retrieve(id);
    }
    const picture = await openai.videos.downloadContent(id, { variant: "thumbnail" });
    expect((await fileTypeFromBuffer(Buffer.from(await picture.arrayBuffer())))?.mime).toBe("image/webp");
    const sheet = await openai.videos.downloadContent(id, { variant: "spritesheet" }).catch((error) => error);
    expect(sheet).toMatchObject({ status: 400, param: "variant" });
  }, 60_000);

  it("openai: a table of inputs is accepted as a file and recognised by its name", async () => {
    const rows = [{ prompt: "one" }, { prompt: "two" }].map((row) => JSON.stringify(row)).join("\n");
    for (const [name, type] of [
      ["rows.jsonl", "application/jsonl"],
      ["rows.ndjson", "application/jsonl"],
      ["rows.csv", "text/csv"],
    ] as const) {
      const file = await openai.files.create({
        file: await toFile(Buffer.from(rows), name),
        purpose: "batch",
      });
      expect(file).toMatchObject({ object: "file", content_type: type });
    }
    const other = openai.files.create({
      file: await toFile(Buffer.from(rows), "rows.txt"),
      purpose: "batch",
    });
    await expect(other).rejects.toMatchObject({ status: 400, code: "unsupported_content_type" });
  });

  it.each([
    [
      "conversations",
      () => openai.conversations.create({ items: [], metadata: {} }),
      "items",
      "previous_response_id",
    ],
    ["conversations, without a field", () => openai.conversations.create(), null, "previous_response_id"],
  ])("openai: %s are refused with an alternative", async (_name, create, param, instead) => {
    const error = await create().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ param, message: expect.stringContaining(instead) });
  });

  it("openai: speech as MP3 and as plain samples; another format is refused with the list of formats", async () => {
    const speak = async (response_format: "mp3" | "pcm" | "opus") => {
      const body = {
        model: "svc/tts-b-1",
        input: "Hello from the harbour.",
        voice: "Cherry",
        response_format,
      };
      const answer = await openai.audio.speech.create(body);
      return { type: answer.headers.get("content-type"), bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const { type, bytes } = await speak("mp3");
    expect([type, (await fileTypeFromBuffer(bytes))?.mime]).toEqual(["audio/mpeg", "audio/mpeg"]);
    const heard = await openai.audio.transcriptions.create({
      model: "svc/asr-1",
      file: await toFile(bytes, "speech.mp3", { type: "audio/mpeg" }),
    });
    expect(heard.text.length).toBeGreaterThan(0);
    const pcm = await speak("pcm");
    expect(pcm.type).toMatch(/^audio\/pcm;rate=\d+;channels=1$/);
    expect(pcm.bytes.length).toBeGreaterThan(bytes.length);
    await expect(speak("opus")).rejects.toThrow(/must be wav or mp3 or pcm/);
  }, 60_000);

  it("replicate: run, create with wait, and cancel", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url, useFileOutput: false });
    const input = { prompt: "waves", quality: "low", size: "1024x1024", output_format: "jpeg" };
    const [output] = (await replicate.run("svc/img-gen-b", { input })) as [string];
    expect(output).toContain("/v1/files/outputs/");
    const created = await replicate.predictions.create({
      model: "svc/vid-t2v",
      input: { prompt: "a long one", duration: 30 },
    });
    expect(created.status).toBe("starting");
    expect((await replicate.predictions.cancel(created.id)).status).toBe("canceled");
  }, 60_000);

  it("replicate: predictions.list, and paginate over several pages, forwards and back", async () => {
    const { key } = await gateway.createAccount();
    const replicate = new Replicate({ auth: key, baseUrl: gateway.url });
    expect(await replicate.predictions.list()).toMatchObject({ results: [], next: null, previous: null });
    const model = "svc/vid-t2v";
    const made: string[] = [];
    while (made.length < 23) {
      const { id } = await replicate.predictions.create({ model, input: { prompt: "waves", duration: 2 } });
      await replicate.predictions.cancel(id);
      made.unshift(id);
    }
    const pages: string[][] = [];
    for await (const page of replicate.paginate(replicate.predictions.list))
      pages.push(page.map(({ id }) => id));
    expect(pages).toEqual([made.slice(0, 20), made.slice(20)]);
    const second = await replicate.request((await replicate.predictions.list()).next ?? "", {
      method: "GET",
    });
    const { previous } = await second.json();
    const first = await (await replicate.request(previous, { method: "GET" })).json();
    expect(first.results.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 20));
    expect(first).toMatchObject({ previous: null, next: expect.stringContaining("after=") });
  });

  it("replicate: run of a sync model gives its output", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url, useFileOutput: false });
    const images = await replicate.run("svc/img-gen-a-1", {
      input: { prompt: "a red lighthouse", size: "256x256" },
    });
    expect((images as unknown as string[])[0]).toContain("/v1/files/outputs/");
    expect(await replicate.run("svc/chat-1", { input: { messages } })).toContain("harbour");
    const speech = await replicate.run("svc/tts-b-1", { input: { input: "Hello." } });
    expect(speech).toMatch(/^data:audio\/wav;base64,/);
    const heard = await replicate.run("svc/asr-1", { input: { audio: speech, response_format: "vtt" } });
    expect(heard).toMatch(/^WEBVTT/);
  });

  it("replicate: the prediction of a sync model has an address, as @ai-sdk/replicate needs it", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url });
    for (const [model, input] of [
      ["svc/img-gen-a-1", { prompt: "a red lighthouse", size: "256x256" }],
      ["svc/chat-1", { messages }],
      ["svc/tts-b-1", { input: "Hello." }],
    ] as const) {
      const { id, urls } = await replicate.predictions.create({ model, input });
      expect(urls.get).toBe(`${gateway.url}/predictions/${id}`);
      await expect(replicate.predictions.get(id)).rejects.toThrow(/answered at once is not kept/);
    }
  });

  it("replicate: models.list and get, versions, and a Buffer as input", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url, useFileOutput: false });
    const { results } = await replicate.models.list();
    expect(results).toHaveLength(32);
    expect(results[0]).toMatchObject({ owner: "svc", visibility: "public" });
    const model = await replicate.models.get("svc", "img-gen-a-1");
    const version = String(model.latest_version?.id);
    expect(version).toMatch(/^[0-9a-f]{64}$/);
    const created_at = model.latest_version?.created_at;
    const listed = await replicate.models.versions.list("svc", "img-gen-a-1");
    expect(listed).toMatchObject({ results: [{ id: version, created_at }], next: null, previous: null });
    expect(await replicate.models.versions.get("svc", "img-gen-a-1", version)).toEqual(listed.results[0]);
    for (const wrong of [
      replicate.models.versions.list("svc", "img-gen-z"),
      replicate.models.versions.get("svc", "img-gen-a-1", "0".repeat(64)),
    ])
      await expect(wrong).rejects.toThrow(/404/);
    const input = { prompt: "a red lighthouse", size: "256x256" };
    const images = (await replicate.run(`svc/img-gen-a-1:${version}`, { input })) as string[];
    expect(images[0]).toContain("/v1/files/outputs/");
    for (const named of ["svc/img-gen-a-1", `svc/img-gen-a-1:${version}`]) {
      const created = await replicate.predictions.create({ version: named, input });
      expect(created).toMatchObject({ status: "succeeded", model: "svc/img-gen-a-1" });
    }
    const unknown = replicate.predictions.create({ version: "0".repeat(64), input });
    await expect(unknown).rejects.toThrow(/No model has the version 0+ now/);
    const image = Buffer.from(landscapeImage.split(",")[1] ?? "", "base64");
    const edited = await replicate.run("svc/img-gen-a-1", { input: { prompt: "at night", image } });
    expect(String(edited)).toContain("/v1/files/outputs/");
    const { data } = await (await fetch(`${gateway.url}/uploads`, { headers: bearer() })).json();
    expect(data[0]).toMatchObject({ status: "verified", content_type: "image/jpeg" });
  }, 60_000);

  it("replicate: a file of some megabytes", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url });
    const picture = Buffer.from(landscapeImage.split(",")[1] ?? "", "base64");
    const file = await replicate.files.create(Buffer.concat([picture, Buffer.alloc(3_000_000)]));
    expect(file).toMatchObject({ content_type: "image/jpeg", size: picture.length + 3_000_000 });
  });

  it("replicate: stream", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url });
    const content = "Say hello to the harbour\nand the boats";
    const input = { messages: [{ role: "user", content }] };
    const events: string[] = [];
    let text = "";
    for await (const { event, data } of replicate.stream("svc/chat-1", { input })) {
      events.push(event);
      if (event === "output") text += data;
    }
    expect(text).toContain("harbour");
    expect(events).toEqual(["output", "done"]);
  });

  it("replicate: an invalid file and an invalid image are refused by field name", async () => {
    const send = async (form: FormData | string) => {
      const answer = await fetch(`${gateway.url}/files`, { method: "POST", headers: bearer(), body: form });
      return [answer.status, (await answer.json()).error.code];
    };
    const form = new FormData();
    form.append("metadata", "{}");
    expect(await send(form)).toEqual([400, "missing_parameter"]);
    form.append("content", new Blob(["<svg/>"], { type: "image/svg+xml" }), "a.svg");
    expect(await send(form)).toEqual([400, "unsupported_content_type"]);
    expect(await send("text")).toEqual([415, "unsupported_media_type"]);
  });

  const bearer = () => ({ authorization: `Bearer ${account.key}` });

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
