import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startOpenAiGateway } from "#gateway/models/providers/testing/openai-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";

const image = {
  model: "svc/img-gen-b",
  prompt: "a paper boat",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};
const video = { model: "svc/vid-t2v", prompt: "waves", duration: 2, resolution: "720P" };

describe("upstream work while the database is unavailable", () => {
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() => startOpenAiGateway(upstream));
  beforeAll(async () => {
    upstream.videoPolls = 0;
  });
  afterEach(() => {
    vi.restoreAllMocks();
    upstream.seen.length = 0;
  });

  /** The connection breaks once at each step of a run, before or after the statement was executed. */
  function breakEachStepOnce(written: boolean): string[] {
    const { database } = mapped.gateway.context;
    const broken: string[] = [];
    const query = database.pool.query.bind(database.pool) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(database.pool, "query").mockImplementation((async (...args: unknown[]) => {
      const [first] = args as [string | { text: string }];
      const text = typeof first === "string" ? first : first.text;
      const [, step] = /^update "predictions" set "(timeline|status|outputs)"/.exec(text) ?? [];
      if (!step || broken.includes(step)) return query(...args);
      broken.push(step);
      if (written) await query(...args);
      throw new Error("Connection terminated unexpectedly");
    }) as typeof database.pool.query);
    const transaction = database.transaction.bind(database);
    vi.spyOn(database, "transaction").mockImplementation(async (run) => {
      if (broken.includes("settle") || !broken.includes("outputs")) return transaction(run);
      broken.push("settle");
      if (written) await transaction(run);
      throw new Error("Connection terminated unexpectedly");
    });
    return broken;
  }

  it.each([
    ["an image, not written", "/images/generations", image, false],
    ["a video, not written", "/videos", video, false],
    ["a video, written", "/videos", video, true],
    // Last, because its result is read once more after the end.
    ["an image, written", "/images/generations", image, true],
  ] as const)("is not lost: %s", async (_, route, request, written) => {
    const broken = breakEachStepOnce(written);
    const { body } = await mapped.post(route, request);
    await expect.poll(async () => (await mapped.ended(String(body.id))).status).toBe("succeeded");
    expect(broken).toEqual(["timeline", "status", "outputs", "settle"]);
    expect(upstream.created()).toHaveLength(1);
  });
});
