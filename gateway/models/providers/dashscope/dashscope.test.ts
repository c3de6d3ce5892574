import { beforeEach, describe, expect, it } from "vitest";
import { landscapeImage, landscapeVideo, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { region, startDashScopeGateway } from "../testing/dashscope-gateway.ts";
import { startDashScopeServer } from "../testing/dashscope-server.ts";

const video = { model: "svc/vid-t2v", region, prompt: "waves", duration: 5, resolution: "720P" };

describe("an upstream that speaks DashScope's API", () => {
  const upstream = shared(startDashScopeServer);
  const mapped = shared(() => startDashScopeGateway(upstream));
  beforeEach(() => {
    upstream.seen.length = 0;
    upstream.taskEnd = "SUCCEEDED";
  });

  it("chats in compatible mode", async () => {
    const messages = [{ role: "user", content: "Name three rivers" }];
    const { body } = await mapped.post("/chat/completions", { model: "svc/chat-2", region, messages });
    expect(body).toMatchObject({
      choices: [{ message: { content: "Danube, Rhine, Nile." } }],
      svc_region: region,
    });
    expect(upstream.seen[0]?.path).toBe("/compatible-mode/v1/chat/completions");
    expect(upstream.at(0).json()).toEqual({ model: "qwen-chat", messages });
  });

  it("uses the key of the region", async () => {
    const request = {
      model: "svc/chat-2",
      region: "cn-beijing",
      messages: [{ role: "user", content: "Hello" }],
    };
    const { status, body } = await mapped.post("/chat/completions", request);
    expect(status).toBe(502);
    expect(body.error).toMatchObject({ code: "upstream_error" });
  });

  it("makes speech: the audio at the URL comes back as bytes", async () => {
    const headers = { authorization: `Bearer ${mapped.account.key}`, "content-type": "application/json" };
    const answer = await fetch(`${mapped.gateway.url}/audio/speech`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "svc/tts-b-2", input: "Hello.", voice: "Ethan", region }),
    });
    expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 8, 12)).toBe("WAVE");
    expect(answer.headers.get("x-svc-usage-characters")).toBe("6");
    const said = upstream.created()[0]?.json();
    expect(said).toEqual({ model: "qwen-tts-vc", input: { text: "Hello.", voice: "Ethan" } });
  });

  it("transcribes", async () => {
    const { body } = await mapped.post("/audio/transcriptions", {
      model: "svc/asr-1",
      audio: speechAudio,
      region,
    });
    expect(body).toMatchObject({
      text: "Good evening.",
      language: "en",
      svc_usage: { unit: "second", quantity: 1 },
    });
    const { input } = upstream.at(0).json() as { input: { messages: { content: { audio: string }[] }[] } };
    expect(input.messages[0]?.content[0]?.audio).toMatch(/^data:audio\/wav;base64,/);
  });

  it("makes and edits images in one call", async () => {
    const request = { model: "svc/img-gen-a-1", prompt: "a boat", size: "512x512", n: 1, region };
    const made = await mapped.post("/images/generations", {
      ...request,
      parameters: { negative_prompt: "people" },
    });
    expect(made.body.data).toMatchObject([{ content_type: "image/png", width: 96, height: 96 }]);
    expect(upstream.at(0).json()).toEqual({
      model: "qwen-image",
      input: { messages: [{ role: "user", content: [{ text: "a boat" }] }] },
      parameters: { n: 1, size: "512*512", negative_prompt: "people" },
    });
    upstream.seen.length = 0;
    await mapped.post("/images/edits", {
      model: "svc/img-gen-a-1",
      prompt: "dusk",
      image: [landscapeImage],
      region,
    });
    const { input } = upstream.at(0).json() as { input: { messages: { content: object[] }[] } };
    expect(input.messages[0]?.content).toEqual([{ image: landscapeImage }, { text: "dusk" }]);
  });

  it("runs a video as a task, billed by the count of the service", async () => {
    const done = await mapped.run("/videos", {
      ...video,
      media: [{ type: "first_frame", url: landscapeImage }],
    });
    expect(done).toMatchObject({
      status: "succeeded",
      svc_region: region,
      usage: { unit: "second", quantity: 5 },
    });
    const [created] = upstream.created();
    expect(created?.headers["x-dashscope-async"]).toBe("enable");
    expect(created?.json()).toEqual({
      model: "wan-video",
      input: { prompt: "waves", media: [{ type: "first_frame", url: landscapeImage }] },
      parameters: { duration: 5, resolution: "720P" },
    });
    expect(upstream.created()).toHaveLength(1);
  });

  it("passes large inputs as signed URLs if the providers file asks for it", async () => {
    const edit = {
      model: "svc/vid-edit",
      region,
      prompt: "autumn",
      duration: 2,
      media: [{ type: "video", url: landscapeVideo }],
    };
    const { body } = await mapped.post("/videos", edit);
    const created = (await upstream.next(/video-synthesis/)).json() as {
      input: { media: { url: string }[] };
    };
    const url = created.input.media[0]?.url ?? "";
    expect((await fetch(url)).headers.get("content-type")).toBe("video/mp4");
    expect((await mapped.ended(String(body.id))).status).toBe("succeeded");
  });

  it("sends gated entries the fields that they require", async () => {
    const adult = {
      prompt: "waves",
      duration: -1,
      resolution: "480P",
      ratio: "adaptive",
      audio: true,
      seed: 7,
    };
    await mapped.run("/videos", { model: "svc/adult-vid-1", ...adult, first_frame: landscapeImage });
    expect(upstream.created()[0]?.json()).toEqual({
      model: "wan-adult",
      input: { prompt: "waves", media: [{ type: "first_frame", url: landscapeImage }] },
      parameters: { resolution: "480P", audio: true, seed: 7, watermark: false },
    });
    upstream.seen.length = 0;
    await mapped.run("/videos", {
      model: "svc/adult-i2v-1",
      prompt: "waves",
      image: landscapeImage,
      duration: 2,
    });
    expect(upstream.created()[0]?.json()).toMatchObject({
      input: { img_url: landscapeImage, prompt: "waves" },
    });
  });

  it.each([
    ["moderated", "content_policy_violation"],
    ["no-url", "upstream_invalid_response"],
    ["UNKNOWN", "upstream_error"],
  ] as const)("fails at once when a task ends %s", async (end, code) => {
    upstream.taskEnd = end;
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", error: { code } });
  });

  it.each(["reset", "broken-json", "short-body"] as const)(
    "never sends a video twice after: %s",
    async (trouble) => {
      upstream.trouble(/video-synthesis/, trouble);
      const done = await mapped.run("/videos", video);
      expect(done.status).toBe("failed");
      expect(["upstream_outcome_unknown", "upstream_invalid_response"]).toContain(done.error?.code);
      expect(upstream.created()).toHaveLength(1);
    },
  );

  it("retries a throttled start", async () => {
    upstream.trouble(/video-synthesis/, {
      status: 429,
      json: { code: "Throttling.RateQuota", message: "slow down" },
    });
    expect((await mapped.run("/videos", video)).status).toBe("succeeded");
    expect(upstream.created()).toHaveLength(2);
  });

  it("treats an unpaid bill as the operator's problem", async () => {
    upstream.trouble(/video-synthesis/, {
      status: 400,
      json: { code: "Arrearage", message: "Access denied" },
    });
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", error: { code: "upstream_error" } });
    expect(upstream.created()).toHaveLength(1);
    expect(mapped.gateway.logLines.join("")).toContain('"alert":"upstream_credential_or_bill"');
  });

  it("cancels the task with the prediction", async () => {
    upstream.taskPolls = 100;
    const { body } = await mapped.post("/videos", video);
    await upstream.next(/\/tasks\//);
    const canceled = await mapped.post(`/predictions/${body.id}/cancel`, {});
    expect(canceled.body.status).toBe("canceled");
    expect(upstream.seen.some(({ method, path }) => method === "POST" && path.endsWith("/cancel"))).toBe(
      true,
    );
    upstream.taskPolls = 1;
  });
});
