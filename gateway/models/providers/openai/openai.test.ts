import OpenAI from "openai";
import { beforeEach, describe, expect, it } from "vitest";
import { landscapeImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { testKeys } from "../testing/mapped-gateway.ts";
import { startOpenAiGateway } from "../testing/openai-gateway.ts";
import { startOpenAiServer } from "../testing/openai-server.ts";

const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];

describe("an upstream that speaks OpenAI's API", () => {
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() => startOpenAiGateway(upstream));
  const openai = shared(
    () => new OpenAI({ baseURL: mapped.gateway.url, apiKey: mapped.account.key, maxRetries: 0 }),
  );
  beforeEach(() => {
    upstream.seen.length = 0;
    upstream.streamEnd = "done";
    mapped.gateway.context.health.pauses.clear();
  });

  describe("chat", () => {
    it("gets the mapped name and the gateway's key, and its answer becomes the gateway's", async () => {
      const { status, body, headers } = await mapped.post("/chat/completions", {
        model: "svc/chat-1",
        messages,
        max_tokens: 40,
        top_p: null,
      });
      expect(status).toBe(200);
      expect(headers.get("x-svc-sandbox")).toBeNull();
      expect(headers.get("x-svc-region")).toBe("us-virginia");
      expect(body).toMatchObject({
        model: "svc/chat-1",
        choices: [
          { message: { content: expect.stringContaining("light"), reasoning_content: expect.any(String) } },
        ],
        usage: { total_tokens: 17 },
      });
      const [seen] = upstream.seen;
      expect(seen?.headers.authorization).toBe(`Bearer ${testKeys.TEST_UPSTREAM_KEY}`);
      expect(seen?.json()).toEqual({
        model: "upstream-model",
        messages,
        max_completion_tokens: 40,
        service_tier: "default",
      });
    });

    it("gets a body whose differences from the caller's are kept with its content", async () => {
      const { gateway } = mapped;
      const { session, key } = await gateway.createAccount();
      await call(gateway, session, "PATCH", "/account", { contents: { keep: "all" } });
      await call(gateway, session, "POST", "/aliases", { name: "sky", models: ["svc/chat-1"] });
      const { body: answer } = await call(gateway, key, "POST", "/chat/completions", {
        ...{ model: "sky", messages, max_tokens: 40, temperature: 0.5, colour: "blue", stream: false },
        ...{ metadata: { customer: "acme" }, user: null },
      });
      const { body: content } = await call(gateway, session, "GET", `/contents/${answer.id}`);
      expect(content.upstream_changes).toEqual([
        { field: "model", asked: "sky", sent: "upstream-model" },
        { field: "max_tokens", asked: 40 },
        { field: "colour", asked: "blue" },
        { field: "max_completion_tokens", sent: 40 },
        { field: "service_tier", sent: "default" },
      ]);
    });

    it("passes tools on and returns tool calls", async () => {
      const tools = [
        { type: "function" as const, function: { name: "weather", parameters: { type: "object" } } },
      ];
      const answer = await openai.chat.completions.create({ model: "svc/chat-1", messages, tools });
      expect(answer.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: "weather" } });
      expect(answer.choices[0]?.finish_reason).toBe("tool_calls");
    });

    it("streams, requests usage and passes it on only if the client asked for it", async () => {
      const request = { model: "svc/chat-1", messages, stream: true } as const;
      const usages: unknown[] = [];
      let text = "";
      for await (const chunk of await openai.chat.completions.create(request)) {
        text += chunk.choices[0]?.delta.content ?? "";
        if (chunk.usage) usages.push(chunk.usage);
      }
      expect(text).toBe("Blue light scatters most.");
      expect(usages).toEqual([]);
      expect(upstream.seen[0]?.json()).toMatchObject({
        stream: true,
        stream_options: { include_usage: true },
      });
      const wanted = { ...request, stream_options: { include_usage: true } };
      for await (const chunk of await openai.chat.completions.create(wanted))
        if (chunk.usage) usages.push(chunk.usage);
      expect(usages).toMatchObject([{ total_tokens: 17 }]);
    });

    it("streams again over the same connections", async () => {
      const streams = 8;
      for (let index = 0; index < streams; index += 1) {
        await mapped.post("/chat/completions", { model: "svc/chat-1", messages, stream: true });
        await upstream.at(index).answered;
      }
      // A pool may alternate between its connections, but must not open one per request.
      expect(new Set(upstream.seen.map(({ gone }) => gone)).size).toBeLessThan(streams);
    });

    it.each(["cut", "reset", "error"] as const)("reports a broken stream (%s) to the client", async (end) => {
      upstream.streamEnd = end;
      let text = "";
      const read = async () => {
        const stream = await openai.chat.completions.create({ model: "svc/chat-1", messages, stream: true });
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
      };
      await expect(read()).rejects.toMatchObject({ code: "upstream_stream_interrupted" });
      expect(text).toBe("Blue light ");
    });

    it("accepts a stream with a finish reason and no [DONE] as complete", async () => {
      upstream.streamEnd = "no-finish";
      const stream = await openai.chat.completions.create({ model: "svc/chat-1", messages, stream: true });
      let finish: string | null = null;
      for await (const chunk of stream) finish = chunk.choices[0]?.finish_reason ?? finish;
      expect(finish).toBe("stop");
    });

    it.each([
      [
        "401",
        { status: 401, json: { error: { message: `Bad key ${testKeys.TEST_UPSTREAM_KEY}` } } },
        502,
        "upstream_error",
      ],
      ["402", { status: 402, json: { error: { message: "Insufficient credits" } } }, 502, "upstream_error"],
      ["quota", { status: 429, json: { error: { code: "insufficient_quota" } } }, 502, "upstream_error"],
      ["404", { status: 404, json: { error: { message: "no such model" } } }, 502, "upstream_error"],
      [
        "400",
        { status: 400, json: { error: { message: "max_tokens is too large", param: "max_tokens" } } },
        400,
        "invalid_parameter",
      ],
      [
        "moderation",
        { status: 400, json: { error: { code: "content_policy_violation" } } },
        422,
        "content_policy_violation",
      ],
      [
        "flagged",
        { status: 403, json: { error: { code: 403, message: "flagged", metadata: { reasons: ["x"] } } } },
        422,
        "content_policy_violation",
      ],
      ["500", { status: 500, text: "<html>oops</html>" }, 502, "upstream_error"],
      ["503", { status: 503 }, 503, "service_unavailable"],
      ["reset", "reset", 502, "upstream_error"],
      ["silence", "silence", 504, "upstream_timeout"],
      ["broken JSON", "broken-json", 502, "upstream_invalid_response"],
      ["a cut body", "short-body", 502, "upstream_error"],
    ] as const)("explains the meaning of %s", async (name, trouble, status, code) => {
      // Failures that often pass are tried twice.
      const tries = ["500", "503", "reset", "a cut body"].includes(name) ? 2 : 1;
      upstream.trouble(/chat/, trouble, tries);
      // The request names a region, so that no other is tried; the success at the end resets the deployment's
      // breaker.
      const request = { model: "svc/chat-2", messages, region: "sg-singapore" };
      const answer = await mapped.post("/chat/completions", request);
      expect(answer.body.error).toMatchObject({ code });
      expect(answer.status).toBe(status);
      expect(JSON.stringify(answer.body)).not.toContain(testKeys.TEST_UPSTREAM_KEY);
      expect(upstream.created()).toHaveLength(tries);
      const after = await mapped.post("/chat/completions", request);
      expect(after.status).toBe(200);
    });

    it("passes on a rate limit with its Retry-After", async () => {
      upstream.trouble(/chat/, { status: 429, headers: { "retry-after": "7" } });
      const answer = await mapped.post("/chat/completions", { model: "svc/chat-1", messages, stream: true });
      expect(answer.status).toBe(429);
      expect(answer.headers.get("retry-after")).toBe("7");
      expect(answer.body.error).toMatchObject({ code: "upstream_rate_limited" });
    });

    it("logs a refused key for the operator without the key itself", () => {
      const alerts = mapped.gateway.logLines.filter((line) =>
        line.includes('"alert":"upstream_credential_or_bill"'),
      );
      expect(alerts.length).toBeGreaterThanOrEqual(3);
      expect(mapped.gateway.logLines.join("")).not.toContain(testKeys.TEST_UPSTREAM_KEY);
    });
  });

  describe("a client that disconnects", () => {
    it("ends the upstream's work too", async () => {
      upstream.trouble(/chat/, "silence");
      const leave = new AbortController();
      const call = fetch(`${mapped.gateway.url}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${mapped.account.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "svc/chat-1", messages }),
        signal: leave.signal,
      });
      const seen = await upstream.next(/chat/);
      leave.abort();
      await expect(call).rejects.toThrow();
      await seen.gone;
    });
  });

  it("makes speech, only as WAV", async () => {
    const answer = await openai.audio.speech.create({ model: "svc/tts-b-2", input: "Hello.", voice: "" });
    expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 8, 12)).toBe("WAVE");
    expect(upstream.seen[0]?.json()).toMatchObject({
      model: "tts-1",
      input: "Hello.",
      response_format: "wav",
    });
    upstream.trouble(/speech/, {
      status: 200,
      headers: { "content-type": "audio/mpeg" },
      text: `ID3${"x".repeat(90)}`,
    });
    const wrong = await mapped.post("/audio/speech", { model: "svc/tts-b-2", input: "Hello." });
    expect(wrong.body.error).toMatchObject({ code: "upstream_invalid_response" });
  });

  it("transcribes a file, billed by seconds", async () => {
    const { body } = await mapped.post("/audio/transcriptions", { model: "svc/asr-1", audio: speechAudio });
    expect(body).toMatchObject({ text: "Good evening.", usage: { type: "duration", seconds: 2 } });
    expect(body.svc_usage).toEqual({ unit: "second", quantity: 2 });
    const parts = Object.fromEntries((await upstream.seen[0]?.form()) ?? []);
    expect(parts).toMatchObject({ model: "upstream-model", file: expect.stringMatching(/^audio\/wav \d+$/) });
  });

  it("writes subtitles from the upstream's segments, or as one cue if it returns no times", async () => {
    const srt = { model: "svc/asr-1", audio: speechAudio, response_format: "srt" };
    const timed = await mapped.post("/audio/transcriptions", srt);
    expect(timed.body.text).toBe(
      "1\n00:00:00,000 --> 00:00:00,800\nGood\n\n2\n00:00:00,800 --> 00:00:01,500\nevening.\n",
    );
    upstream.trouble(/transcriptions/, {
      status: 400,
      text: JSON.stringify({ error: { message: "not compatible", param: "response_format" } }),
    });
    const whole = await mapped.post("/audio/transcriptions", srt);
    expect(whole.body.text).toBe("1\n00:00:00,000 --> 00:00:02,000\nGood evening.\n");
  });

  it("makes speech in another format when asked, and checks the result", async () => {
    const ask = (response_format: string) =>
      mapped.post("/audio/speech", {
        model: "svc/tts-b-2",
        input: "Hello.",
        voice: "Cherry",
        response_format,
      });
    const flac = await ask("flac");
    expect([flac.status, flac.headers.get("content-type")]).toEqual([200, "audio/flac"]);
    // The fake upstream answers WAV to this request.
    expect((await ask("opus")).body.error).toMatchObject({ code: "upstream_invalid_response" });
    expect((await ask("mp3")).headers.get("content-type")).toBe("audio/mpeg");
  });

  it("returns word timings if the request asks for them", async () => {
    const asked = { model: "svc/asr-1", audio: speechAudio, response_format: "verbose_json" };
    const { body } = await mapped.post("/audio/transcriptions", {
      ...asked,
      timestamp_granularities: ["word"],
    });
    expect(body.words).toEqual([
      { word: "Good", start: 0, end: 0.7 },
      { word: "evening", start: 0.8, end: 1.4 },
    ]);
    expect((await mapped.post("/audio/transcriptions", asked)).body).not.toHaveProperty("words");
  });

  it("makes and edits images and stores their bytes", async () => {
    const made = await mapped.post("/images/generations", {
      model: "svc/img-gen-a-1",
      prompt: "a boat",
      size: "512*512",
    });
    expect(upstream.seen[0]?.json()).toMatchObject({ prompt: "a boat", size: "512x512" });
    const [file] = made.body.data as { url: string; width: number }[];
    expect(file).toMatchObject({ content_type: "image/png", width: 96, height: 96 });
    expect(file?.url.startsWith(mapped.gateway.url)).toBe(true);
    const edit = { model: "svc/img-gen-a-1", prompt: "dusk", image: [landscapeImage, landscapeImage] };
    const edited = await mapped.post("/images/edits", edit);
    expect(edited.status).toBe(200);
    const names = (await upstream.seen[1]?.form())?.map(([name, value]) => `${name} ${value.split(" ")[0]}`);
    expect(names?.filter((name) => name === "image[] image/jpeg")).toHaveLength(2);
  });
});
