import { describe, expect, it } from "vitest";
import { jobState, PollBudget, pollAfterMs } from "../jobs.ts";
import { upstreamFields } from "../media/inputs.ts";
import { wavOf } from "../media/outputs.ts";
import { frameSize } from "../openai/provider.ts";
import { withoutSecret } from "../upstreams/upstream.ts";
import { retryAfterMs } from "./rate-limit.ts";
import { readEvents } from "./read-body.ts";

async function eventsOf(text: string, chunkBytes: number): Promise<(string | null)[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const found: (string | null)[] = [];
  for await (const event of readEvents(chunks())) found.push(event);
  return found;
}

describe("server-sent events", () => {
  const stream =
    ': hello\r\n\r\nevent: x\ndata: {"a":"é→😀"}\n\ndata:one\r\ndata: two\r\n\r\ndata: [DONE]\n\ndata: unfinished';
  it.each([1, 2, 3, 7, 1000])("are read completely in chunks of %i bytes", async (size) => {
    expect(await eventsOf(stream, size)).toEqual(['{"a":"é→😀"}', "one\ntwo", "[DONE]"]);
  });

  it("are limited in size", async () => {
    await expect(eventsOf(`data: ${"x".repeat(5_000_000)}`, 65_536)).rejects.toMatchObject({
      code: "upstream_invalid_response",
    });
  });
});

describe("the wait that an upstream requests", () => {
  it.each([
    [{ "retry-after": "7" }, null, 7_000],
    [{ "retry-after-ms": "120" }, null, 120],
    [{ "retry-after": "99999" }, null, 600_000],
    [{}, "Your rate limit resets in ~30s.", 30_000],
    [{ "retry-after": "soon" }, null, undefined],
    [{}, null, undefined],
  ])("%j %s is %s ms", (headers, message, expected) => {
    expect(retryAfterMs(headers, message)).toBe(expected);
  });

  it("can be a date", () => {
    const inTen = retryAfterMs({ "retry-after": new Date(Date.now() + 10_000).toUTCString() }, null) ?? 0;
    expect(inTen).toBeGreaterThan(8_000);
    expect(inTen).toBeLessThanOrEqual(10_000);
  });
});

describe("the states of jobs", () => {
  it.each([
    ["SUCCEEDED", "succeeded"],
    ["COMPLETED", "succeeded"],
    ["aborted", "failed"],
    ["UNKNOWN", "failed"],
    ["cancelled", "canceled"],
    ["IN_QUEUE", "queued"],
    ["warming_up", "running"],
    [undefined, "running"],
  ])("%s means %s", (word, state) => {
    expect(jobState(word)).toBe(state);
  });

  it("are polled at growing intervals", () => {
    const ago = (ms: number) => pollAfterMs(Date.now() - ms);
    expect([ago(0), ago(1_000_000)]).toEqual([2_000, 15_000]);
    expect(ago(60_000)).toBeGreaterThanOrEqual(6_000);
  });

  it("share one limit of polls", () => {
    let now = 0;
    const budget = new PollBudget(20, () => now);
    const turns = Array.from({ length: 25 }, () => budget.take());
    expect(turns.filter((wait) => wait === null)).toHaveLength(20);
    expect(turns.at(-1)).toBeGreaterThan(0);
    now = 100;
    expect([budget.take(), budget.take(), budget.take()].filter((wait) => wait === null)).toHaveLength(2);
  });
});

describe("fields", () => {
  it("are omitted, renamed, defaulted and set, in that order", () => {
    const input = {
      prompt: "a",
      seed: null,
      image: "i",
      person_rights_confirmed: true,
      parameters: { steps: 4, prompt: "b" },
    };
    const rules = {
      omit: ["seed"],
      rename: { image: "start" },
      defaults: { voice: "v", start: "d" },
      set: { fast: true },
    };
    expect(upstreamFields(input, rules)).toEqual({
      prompt: "a",
      start: "i",
      steps: 4,
      voice: "v",
      fast: true,
    });
  });

  it("turn a tier and a ratio into a frame size", () => {
    expect(frameSize({ resolution: "720P" })).toBe("1280x720");
    expect(frameSize({ resolution: "1080P", ratio: "9:16" })).toBe("1080x1920");
    expect(frameSize({ resolution: "480P", ratio: "adaptive" })).toBe("854x480");
    expect(frameSize({})).toBeNull();
  });
});

describe("WAV", () => {
  it("gets its true lengths if a stream left them out", () => {
    const bytes = Buffer.alloc(144);
    bytes.write("RIFF", 0);
    bytes.writeUInt32LE(0xffffffff, 4);
    bytes.write("WAVEfmt ", 8);
    bytes.writeUInt32LE(16, 16);
    bytes.write("data", 36);
    bytes.writeUInt32LE(0xffffffff, 40);
    const mended = wavOf(bytes);
    expect([mended.readUInt32LE(4), mended.readUInt32LE(40)]).toEqual([136, 100]);
  });
});

it("keys are removed from messages", () => {
  const text = withoutSecret("Incorrect API key provided: sk-proj-abc***wxyz (my-own-key)", "my-own-key");
  expect(text).toBe("Incorrect API key provided: [key] ([key])");
});
