import Replicate from "replicate";
import { beforeEach, describe, expect, it } from "vitest";
import { duskImage, landscapeImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { keyIn, providerAt, startMappedGateway } from "../testing/mapped-gateway.ts";
import { startReplicateServer } from "../testing/replicate-server.ts";

const video = { model: "svc/adult-i2v-2" as const, prompt: "waves", image: landscapeImage, duration: 5 };

describe("an upstream that speaks Replicate's API", () => {
  const upstream = shared(startReplicateServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        hosts: providerAt(upstream, {
          credentials: keyIn("us-virginia", "sg-singapore"),
          timeouts_ms: { job: 2_000 },
        }),
      },
      routes: [
        {
          models: ["svc/adult-i2v-2"],
          provider: "hosts",
          upstream_model: "acme/i2v",
          fields: { rename: { image: "start_image" }, omit: ["prompt_extend"], set: { fast: true } },
        },
        { models: ["svc/swap-1"], provider: "hosts", upstream_model: "acme/swap:0123abcd" },
        {
          models: ["svc/img-gen-a-2", "svc/tts-b-2", "svc/asr-3"],
          provider: "hosts",
          upstream_model: "acme/any",
        },
      ],
    }),
  );
  beforeEach(() => {
    upstream.seen.length = 0;
    upstream.polls = 1;
    upstream.end = { status: "succeeded", output: "ORIGIN/files/out.mp4" };
  });

  it("runs a model with its own field names, without waiting in the create", async () => {
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({
      status: "succeeded",
      sandbox: false,
      usage: { unit: "second", quantity: 2 },
    });
    const [created] = upstream.created();
    expect(created?.path).toBe("/v1/models/acme/i2v/predictions");
    expect(created?.headers.prefer).toBeUndefined();
    expect(created?.json()).toEqual({
      input: { prompt: "waves", start_image: landscapeImage, duration: 5, resolution: "480P", fast: true },
    });
    expect(done.output).toContain(`${mapped.gateway.url}/files/outputs/`);
  });

  it("runs one version, and does not send consents upstream", async () => {
    upstream.end = {
      status: "succeeded",
      output: ["ORIGIN/files/out.png"].map((url) => url.replace("ORIGIN", upstream.origin)),
    };
    const swap = { model: "svc/swap-1", image: [landscapeImage, duskImage], person_rights_confirmed: true };
    const done = await mapped.run("/images/edits", swap);
    expect(done).toMatchObject({ status: "succeeded", data: [{ content_type: "image/png", width: 96 }] });
    expect(upstream.created()[0]?.json()).toEqual({
      version: "0123abcd",
      input: { image: [landscapeImage, duskImage] },
    });
  });

  it.each([
    ["its model", (_version: string) => video.model],
    ["its version", (version: string) => `${video.model}:${version}` as const],
  ])(
    "gives replicate.run, called with %s, the output of a run that takes longer than the client's wait",
    async (_by, named) => {
      upstream.polls = Number.POSITIVE_INFINITY;
      const { key } = mapped.account;
      const replicate = new Replicate({ auth: key, baseUrl: mapped.gateway.url, useFileOutput: false });
      const { latest_version: version } = await replicate.models.get("svc", "adult-i2v-2");
      const { model: _, ...input } = video;
      const statuses: string[] = [];
      const output = await replicate.run(
        named(String(version?.id)),
        { input, wait: { mode: "block", timeout: 1 } },
        ({ status }) => {
          statuses.push(status);
          // The wait is over, and the client has read the run again, which has started.
          if (status === "processing") upstream.polls = 0;
        },
      );
      expect(output).toContain(`${mapped.gateway.url}/files/outputs/`);
      expect([...new Set(statuses)].slice(0, 2)).toEqual(["starting", "processing"]);
    },
  );

  it("runs sync operations to completion", async () => {
    const region = "sg-singapore";
    upstream.end = { status: "succeeded", output: "ORIGIN/files/out.png" };
    const image = await mapped.post("/images/generations", {
      model: "svc/img-gen-a-2",
      prompt: "a boat",
      region,
    });
    expect(image.body.data).toMatchObject([{ content_type: "image/png" }]);
    upstream.end = { status: "succeeded", output: "ORIGIN/files/out.wav" };
    const speech = await mapped.post("/audio/speech", { model: "svc/tts-b-2", input: "Hello.", region });
    expect(speech.status).toBe(200);
    expect(speech.headers.get("content-type")).toBe("audio/wav");
    upstream.end = { status: "succeeded", output: { text: "Good evening.", language: "en" } };
    const heard = await mapped.post("/audio/transcriptions", {
      model: "svc/asr-3",
      audio: speechAudio,
      region,
    });
    expect(heard.body).toMatchObject({ text: "Good evening.", language: "en" });
  });

  it.each([
    [{ status: "failed", error: "CUDA out of memory" }, "failed", "upstream_error"],
    [
      { status: "failed", error: "The input was flagged as sensitive. (E005)" },
      "failed",
      "content_policy_violation",
    ],
    [{ status: "aborted" }, "failed", "upstream_timeout"],
    [{ status: "succeeded", output: null }, "failed", "upstream_invalid_response"],
    [{ status: "succeeded", output: "ORIGIN/files/gone.mp4" }, "failed", "upstream_invalid_response"],
    [{ status: "canceled" }, "canceled", undefined],
  ])("ends a run with status %j correctly", async (end, status, code) => {
    upstream.end = end;
    const done = await mapped.run("/videos", video);
    expect(done.status).toBe(status);
    expect(done.error?.code).toBe(code);
  });

  it.each(["reset", "silence", "broken-json"] as const)("never creates twice after: %s", async (trouble) => {
    upstream.trouble(/predictions$/, trouble);
    const done = await mapped.run("/videos", video);
    expect(done.status).toBe("failed");
    expect(upstream.created()).toHaveLength(1);
  });

  it("waits as long as a 429 requests", async () => {
    const detail = "Request was throttled. Your rate limit resets in ~3s.";
    upstream.trouble(/predictions$/, { status: 429, json: { detail } });
    const before = Date.now();
    const done = await mapped.run("/videos", video);
    expect(done.status).toBe("succeeded");
    expect(Date.now() - before).toBeGreaterThanOrEqual(3_000);
    expect(upstream.created()).toHaveLength(2);
  });

  it("names the field that a model rejects", async () => {
    const fields = [{ type: "required", field: "input.prompt", description: "prompt is required" }];
    upstream.trouble(/predictions$/, {
      status: 422,
      json: {
        title: "Input validation failed",
        detail: "- input: prompt is required",
        invalid_fields: fields,
      },
    });
    const region = "sg-singapore";
    const { body } = await mapped.post("/images/generations", {
      model: "svc/img-gen-a-2",
      prompt: "x",
      region,
    });
    expect(body.error).toMatchObject({ code: "invalid_parameter", param: "prompt" });
  });

  it("cancels upstream", async () => {
    upstream.polls = 100;
    const { body } = await mapped.post("/videos", video);
    await upstream.next(/predictions\/r/);
    await mapped.post(`/predictions/${body.id}/cancel`, {});
    expect(upstream.seen.filter(({ path }) => path.endsWith("/cancel"))).toHaveLength(1);
  });
});
