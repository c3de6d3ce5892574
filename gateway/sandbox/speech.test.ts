import { beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "#gateway/access/accounts/account.ts";
import type { ResolvedMedia } from "#gateway/models/providers/provider.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { markText } from "./mark.ts";
import { measure } from "./speech/measure.ts";
import { readWave } from "./speech/wave.ts";
import { startSandbox, type TestMedia } from "./testing/fixture.ts";
import { recording } from "./testing/media.ts";

let account: string;
let other: string;
const test = shared(startSandbox);
beforeAll(async () => {
  const made = async (email: string) =>
    (await createAccount(test.database.queries, { name: "Voices", email, password: "a-long-password" }))
      .accountId;
  account = await made("ada@example.com");
  other = await made("kai@example.com");
});

async function speak(model: string, input: Record<string, unknown>, from = account) {
  const result = await test.sandbox.execute(await test.request(model, "text-to-speech", input, [], from));
  if (result.kind !== "speech") throw new Error(result.kind);
  return { ...result, wave: readWave(result.audio) };
}
async function voices(
  input: Record<string, unknown>,
  media: TestMedia[] = [],
  model = "voice-1",
  from = account,
) {
  const result = await test.sandbox.execute(
    await test.request(model, "voice-management", input, media, from),
  );
  if (result.kind !== "voices") throw new Error(result.kind);
  return result.data;
}
const sample: TestMedia = { path: "/audio", kind: "audio", bytes: recording };
const text = "The quick brown fox jumps over the lazy dog.";

describe("speech", () => {
  it("is a marked WAV, billed by character", async () => {
    const { wave, usage } = await speak("tts-b-1", { input: text, voice: "Cherry" });
    expect(usage).toEqual({ unit: "character", quantity: text.length });
    expect(wave.comment).toContain(markText);
    expect(wave.samples.length / wave.rate).toBeGreaterThan(2);
    expect(measure(wave).segments.length).toBeGreaterThan(0);
  });

  it("sounds the same for the same preset and different for another", async () => {
    const [one, again, different] = await Promise.all(
      ["Cherry", "Cherry", "Ethan"].map((voice) => speak("tts-b-1", { input: text, voice })),
    );
    expect(again?.audio.equals(one?.audio ?? Buffer.alloc(0))).toBe(true);
    expect(different?.audio.equals(one?.audio ?? Buffer.alloc(0))).toBe(false);
  });

  it("is not silent for a text that it cannot read", async () => {
    const { wave } = await speak("tts-b-1", { input: "早上好，世界", voice: "Cherry" });
    expect(measure(wave).rmsDecibels).toBeGreaterThan(-40);
    expect(wave.comment).toContain("早上好");
  });

  it("speaks with the seeded voices, each at its own pitch", async () => {
    const pitchOf = async (voice: string) =>
      measure((await speak("tts-a-1", { input: text, voice })).wave).pitchHertz;
    expect(await pitchOf("sandbox-voice-ada")).toBeGreaterThan(170);
    expect(await pitchOf("sandbox-voice-kai")).toBeLessThan(140);
  });

  it("refuses a voice that was never enrolled", async () => {
    await expect(speak("tts-a-1", { input: text, voice: "nobody" })).rejects.toMatchObject({
      code: "voice_not_found",
      param: "voice",
    });
  });
});

describe("voices", () => {
  it("enrols a recording by its measurements, for this account only", async () => {
    const created = await voices({ action: "create", audio: "x", preferred_name: "Night Desk" }, [sample]);
    expect(created.voice).toMatch(/^sandbox-voice-night-desk-/);
    expect(created).toMatchObject({
      status: "ready",
      rms_db: expect.any(Number),
      duration_seconds: expect.any(Number),
    });
    const voice = String(created.voice);
    expect((await speak("tts-a-1", { input: text, voice })).wave.samples.length).toBeGreaterThan(0);
    await expect(speak("tts-a-1", { input: text, voice }, other)).rejects.toMatchObject({
      code: "voice_not_found",
    });
    expect(await voices({ action: "query", voice })).toMatchObject({ voice, pitch_hz: created.pitch_hz });
    expect(await voices({ action: "delete", voice })).toEqual({ voice, deleted: true });
    await expect(voices({ action: "query", voice })).rejects.toMatchObject({ code: "voice_not_found" });
  });

  it("reads a description, speaks a preview and shortens only the preview", async () => {
    const created = async (voice_prompt: string) =>
      voices({ action: "create", voice_prompt, preview_text: "Good evening." }, [], "voice-2");
    const deep = await created("a deep, slow narrator");
    expect(deep.speaks_at_hz).toBeLessThan(110);
    expect((await created("a high, fast child")).speaks_at_hz).toBeGreaterThan(200);
    const [head, data] = String(deep.preview_audio).split(",");
    expect(head).toBe("data:audio/wav;base64");
    expect(measure(readWave(Buffer.from(data ?? "", "base64"))).segments.length).toBeGreaterThan(0);
  });

  it("refuses a preview that would take minutes to speak", async () => {
    const body = { action: "create", voice_prompt: "a", preview_text: "long ".repeat(500) };
    await expect(voices(body, [], "voice-2")).rejects.toMatchObject({
      code: "input_too_large",
      param: "preview_text",
    });
  });

  it.each([
    ["voice_prompt", "a".repeat(2_001), "input_too_large"],
    ["target_model", "a".repeat(2_001), "input_too_large"],
    ["language_hints", Array.from({ length: 51 }, () => "en"), "invalid_parameter"],
    ["language_hints", ["a".repeat(2_001)], "invalid_parameter"],
    ["language_hints", [{ en: "a" }], "invalid_parameter"],
  ])("refuses more %s than it could repeat", async (param, value, code) => {
    const body = { action: "create", voice_prompt: "a deep voice", [param]: value };
    await expect(voices(body, [], "voice-2")).rejects.toMatchObject({ code, param });
  });

  it("lists by page, the seeded ones last", async () => {
    for (const name of ["a", "b", "c"])
      await voices({ action: "create", voice_prompt: name, prefix: `pg${name}` }, [], "voice-2", other);
    const page = async (page_index: number) => {
      const data = await voices({ action: "list", page_index, page_size: 2 }, [], "voice-2", other);
      return {
        total: data.total,
        ids: (data.voices as { voice: string }[]).map(({ voice }) => voice.slice(14, 17)),
      };
    };
    expect(await page(0)).toEqual({ total: 5, ids: ["pgc", "pgb"] });
    expect(await page(1)).toEqual({ total: 5, ids: ["pga", "ada"] });
    expect(await page(2)).toEqual({ total: 5, ids: ["kai"] });
    expect(await page(3)).toEqual({ total: 5, ids: [] });
  });

  it("names what is missing, and keeps the seeded voices", async () => {
    await expect(voices({ action: "create" })).rejects.toMatchObject({
      code: "missing_parameter",
      param: "audio",
    });
    await expect(voices({ action: "create" }, [], "voice-2")).rejects.toMatchObject({ param: "url" });
    await expect(voices({ action: "query" })).rejects.toMatchObject({
      code: "missing_parameter",
      param: "voice",
    });
    await expect(voices({ action: "delete", voice: "sandbox-voice-ada" })).rejects.toMatchObject({
      param: "voice",
    });
  });
});

describe("transcription", () => {
  async function transcribe(bytes: Buffer) {
    const kind: ResolvedMedia["kind"] = "audio";
    const request = await test.request("asr-1", "audio-transcription", { audio: "x" }, [
      { path: "/audio", kind, bytes },
    ]);
    const result = await test.sandbox.execute(request);
    if (result.kind !== "transcription") throw new Error(result.kind);
    return result;
  }

  it("measures a recording and says that nothing was recognised", async () => {
    const { text: said, durationSeconds, usage } = await transcribe(recording);
    expect(said).toMatch(/^Sandbox transcription, no speech model ran\. Audio: [\d.]+ s, mono 8 kHz/);
    expect(durationSeconds).toBeGreaterThan(0.5);
    expect(usage).toEqual({ unit: "second", quantity: Math.ceil(durationSeconds ?? 0) });
  });

  it("returns the text of its own speech, read from the file tag", async () => {
    const { audio } = await speak("tts-b-1", { input: text, voice: "Cherry" });
    expect((await transcribe(audio)).text).toContain(`read from the file tag, not recognised: "${text}"`);
  });

  it("refuses a file that is not a recording, naming the field", async () => {
    await expect(transcribe(Buffer.from("not a sound"))).rejects.toMatchObject({
      code: "invalid_parameter",
      param: "audio",
    });
  });
});
