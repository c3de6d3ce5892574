import { beforeEach, describe, expect, it } from "vitest";
import { landscapeImage } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { testKeys } from "../testing/mapped-gateway.ts";
import { startOpenAiGateway } from "../testing/openai-gateway.ts";
import { startOpenAiServer } from "../testing/openai-server.ts";

const image = { prompt: "a paper boat", quality: "low", size: "1024x1024", output_format: "png" };

describe("predictions on an upstream that speaks OpenAI's API", () => {
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() => startOpenAiGateway(upstream));
  beforeEach(() => {
    upstream.seen.length = 0;
  });

  describe("an async image, which the upstream makes in a single call", () => {
    it("is one request and one prediction", async () => {
      const done = await mapped.run("/images/generations", { model: "svc/img-gen-b", ...image });
      expect(done).toMatchObject({
        status: "succeeded",
        sandbox: false,
        usage: { unit: "generation", quantity: 1 },
      });
      expect(done.data?.[0]).toMatchObject({ content_type: "image/png", width: 96, height: 96 });
      expect(upstream.created()).toHaveLength(1);
      expect(upstream.seen[0]?.json()).toEqual({ model: "gpt-image", ...image });
    });

    it("is marked as started if it is canceled during the call", async () => {
      upstream.trouble(/videos/, "silence");
      const { body } = await mapped.post("/videos", { model: "svc/vid-t2v", prompt: "waves", duration: 5 });
      await upstream.next(/videos/);
      const { body: canceled } = await mapped.post(`/predictions/${body.id}/cancel`, {});
      expect(canceled).toMatchObject({ status: "canceled", started_at: expect.any(String) });
      const { timeline, metrics } = await mapped.ended(String(body.id));
      expect(timeline.map(({ event }) => event)).toEqual(
        expect.arrayContaining(["accepted", "queued", "started", "canceled"]),
      );
      expect(metrics).toMatchObject({ queue_time: expect.any(Number), predict_time: expect.any(Number) });
    });

    it("is not sent again after a reset, and its outcome is unknown", async () => {
      upstream.trouble(/images/, "reset");
      const done = await mapped.run("/images/generations", { model: "svc/img-gen-b", ...image });
      expect(done).toMatchObject({ status: "failed", error: { code: "upstream_outcome_unknown" } });
      expect(upstream.created()).toHaveLength(1);
    });

    it("is not sent again when no answer comes", async () => {
      upstream.trouble(/images/, "silence");
      const done = await mapped.run("/images/generations", { model: "svc/img-gen-b", ...image });
      expect(done).toMatchObject({ status: "failed", error: { code: "upstream_outcome_unknown" } });
      expect(done.timeline.map(({ event }) => event)).toContain("provider_accepted");
      expect(upstream.created()).toHaveLength(1);
    });

    it("is sent again when it certainly did not start", async () => {
      const refusedOnce = async () => {
        upstream.seen.length = 0;
        upstream.trouble(/images/, { status: 429, headers: { "retry-after": "1" } });
        const done = await mapped.run("/images/generations", { model: "svc/img-gen-b", ...image });
        return [done.status, upstream.created().length];
      };
      // Done again if this process was so slow that the run counted as accepted before its refusal was read.
      await expect.poll(refusedOnce).toEqual(["succeeded", 2]);
    });

    it("is rejected by the upstream's policy once", async () => {
      upstream.trouble(/images/, { status: 400, json: { error: { code: "moderation_blocked" } } });
      const done = await mapped.run("/images/generations", { model: "svc/img-gen-b", ...image });
      expect(done).toMatchObject({ status: "failed", error: { code: "content_policy_violation" } });
      expect(upstream.created()).toHaveLength(1);
    });
  });

  describe("a video", () => {
    const video = { model: "svc/vid-t2v", prompt: "waves", duration: 2, resolution: "720P" };

    it("is a job of the upstream, and its file is fetched with the key", async () => {
      const done = await mapped.run("/videos", { ...video, media: [{ type: "image", url: landscapeImage }] });
      expect(done).toMatchObject({ status: "succeeded", usage: { unit: "second", quantity: 2 } });
      expect(done.data?.[0]).toMatchObject({
        content_type: "video/mp4",
        width: 320,
        height: 180,
        duration: 2,
      });
      const parts = Object.fromEntries((await upstream.seen[0]?.form()) ?? []);
      expect(parts).toMatchObject({
        seconds: "2",
        size: "1280x720",
        input_reference: expect.stringMatching(/^image\/jpeg/),
      });
      const fetched = upstream.seen.find(({ path }) => path.endsWith("/content"));
      expect(fetched?.headers.authorization).toContain(testKeys.TEST_UPSTREAM_KEY);
      expect(upstream.created()).toHaveLength(1);
    });

    it("is polled again when a poll fails", async () => {
      upstream.trouble(/videos\/video_/, { status: 429 });
      upstream.trouble(/videos\/video_/, { status: 500 });
      const done = await mapped.run("/videos", video);
      expect(done.status).toBe("succeeded");
      expect(upstream.created()).toHaveLength(1);
    });

    it("fails if the upstream has forgotten it", async () => {
      upstream.trouble(/videos\/video_/, { status: 404 });
      const done = await mapped.run("/videos", video);
      expect(done).toMatchObject({ status: "failed", error: { code: "upstream_error" } });
    });
  });
});
