import { beforeEach, describe, expect, it } from "vitest";
import { speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { region, startDashScopeGateway } from "../testing/dashscope-gateway.ts";
import { startDashScopeServer } from "../testing/dashscope-server.ts";

describe("voices at DashScope", () => {
  const upstream = shared(startDashScopeServer);
  const mapped = shared(() => startDashScopeGateway(upstream));
  beforeEach(() => {
    upstream.seen.length = 0;
  });

  it("enrols, lists, shows, uses and deletes voices of its own account only", async () => {
    const create = {
      model: "svc/voice-1",
      action: "create",
      audio: speechAudio,
      preferred_name: "evening",
      target_model: "svc/tts-a-2",
      region,
    };
    const made = (await mapped.post("/audio/voices", create)).body.data as { voice: string };
    expect(made).toMatchObject({
      voice: expect.stringMatching(/^qwen-tts-vc-/),
      target_model: "svc/tts-a-2",
    });
    expect(upstream.at(0).json()).toMatchObject({
      model: "qwen-voice-enrollment",
      input: {
        action: "create",
        target_model: "qwen-tts-vc",
        preferred_name: "evening",
        audio: { data: speechAudio },
      },
    });
    const voices = (body: object) => mapped.post("/audio/voices", { model: "svc/voice-1", region, ...body });
    expect((await voices({ action: "list" })).body.data).toMatchObject({
      total: 1,
      voices: [{ voice: made.voice }],
    });
    expect((await voices({ action: "query", voice: made.voice })).body.data).toMatchObject({
      status: "ready",
    });

    const stranger = (await mapped.gateway.createAccount()).key;
    const asStranger = (route: string, body: object) =>
      call(mapped.gateway, stranger, "POST", route, { region, ...body });
    const listed = await asStranger("/audio/voices", { model: "svc/voice-1", action: "list" });
    expect(listed.body.data).toMatchObject({ total: 0 });
    for (const action of ["query", "delete"]) {
      const answer = await asStranger("/audio/voices", { model: "svc/voice-1", action, voice: made.voice });
      expect(answer.body.error).toMatchObject({ code: "voice_not_found" });
    }
    const stolen = await asStranger("/audio/speech", {
      model: "svc/tts-a-2",
      input: "Hi",
      voice: made.voice,
    });
    expect(stolen.status).toBe(404);

    const own = await mapped.post("/audio/speech", {
      model: "svc/tts-a-2",
      input: "Hi",
      voice: made.voice,
      region,
    });
    expect(own.status).toBe(200);
    expect((await voices({ action: "delete", voice: made.voice })).body.data).toMatchObject({
      deleted: true,
    });
    expect((await voices({ action: "query", voice: made.voice })).status).toBe(404);
  });

  it("enrols from a recording that the service fetches itself, and removes it afterwards", async () => {
    const request = {
      model: "svc/voice-2",
      action: "create",
      url: speechAudio,
      prefix: "eve",
      target_model: "x",
      region,
    };
    upstream.trouble(/customization/, { status: 400, json: { code: "InvalidParameter", message: "url" } });
    await mapped.post("/audio/voices", request);
    const { input } = upstream.at(0).json() as { input: { action: string; url: string } };
    expect(input).toMatchObject({ action: "create_voice", prefix: "eve" });
    expect(input.url.startsWith(`${mapped.gateway.url}/files/inputs/`)).toBe(true);
    expect((await fetch(input.url)).status).toBe(410);
    const { body } = await mapped.post("/audio/voices", request);
    expect(body.data).toMatchObject({ voice: expect.stringMatching(/^cosyvoice-/) });
  });
});
