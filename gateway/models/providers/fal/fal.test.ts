import { beforeEach, describe, expect, it } from "vitest";
import { landscapeImage } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startFalServer } from "../testing/fal-server.ts";
import { startMappedGateway, testKeys } from "../testing/mapped-gateway.ts";

const video = { model: "svc/adult-i2v-3", prompt: "waves", image: landscapeImage, duration: 5 };

describe("an upstream that speaks fal's queue", () => {
  const upstream = shared(startFalServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        fal: {
          protocol: "fal",
          base_url: upstream.origin,
          credentials: {
            "us-virginia": { env: "TEST_UPSTREAM_KEY" },
            "sg-singapore": { env: "TEST_UPSTREAM_KEY" },
          },
        },
      },
      routes: [
        { models: ["svc/adult-i2v-3", "svc/adult-edit"], provider: "fal", upstream_model: "acme/wan/i2v" },
        { models: ["svc/img-gen-a-3"], provider: "fal", upstream_model: "acme/pictures" },
      ],
    }),
  );
  const oneVideo = (origin: string) => ({ video: { url: `${origin}/files/out.mp4` } });
  const oneImage = (origin: string) => ({
    images: [{ url: `${origin}/files/out.png`, content_type: "image/png", width: 96, height: 96 }],
  });
  beforeEach(() => {
    upstream.seen.length = 0;
    upstream.polls = 2;
    upstream.result = oneVideo;
  });

  it("submits, polls and fetches at the URLs in fal's answer", async () => {
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "succeeded", data: [{ content_type: "video/mp4", duration: 2 }] });
    const [created] = upstream.created();
    expect(created?.path).toBe("/acme/wan/i2v");
    expect(created?.headers).toMatchObject({
      authorization: `Key ${testKeys.TEST_UPSTREAM_KEY}`,
      "x-fal-no-retry": "1",
    });
    expect(created?.json()).toMatchObject({ prompt: "waves", image: landscapeImage, loras: [] });
    expect(upstream.seen.filter(({ path }) => path.endsWith("/how"))).toHaveLength(3);
    expect(upstream.created()).toHaveLength(1);
  });

  it("edits an image", async () => {
    upstream.result = oneImage;
    const edit = { model: "svc/adult-edit", image: [landscapeImage], prompt: "snow" };
    const done = await mapped.run("/images/edits", edit);
    expect(done).toMatchObject({ status: "succeeded", usage: { unit: "generation", quantity: 1 } });
  });

  it("runs a sync operation to its end", async () => {
    upstream.result = oneImage;
    const request = { model: "svc/img-gen-a-3", prompt: "a boat", region: "sg-singapore" };
    expect((await mapped.post("/images/generations", request)).body.data).toMatchObject([{ width: 96 }]);
  });

  it.each([
    [
      { status: 422, json: { detail: [{ loc: ["body", "prompt"], msg: "too short", type: "value_error" }] } },
      "invalid_parameter",
    ],
    [
      {
        status: 422,
        json: { detail: [{ loc: ["body", "prompt"], msg: "no", type: "content_policy_violation" }] },
      },
      "content_policy_violation",
    ],
    [
      { status: 500, headers: { "x-fal-error-type": "runner_server_error" }, json: { detail: "boom" } },
      "upstream_error",
    ],
    [
      { status: 504, headers: { "x-fal-error-type": "request_timeout" }, json: { detail: "late" } },
      "upstream_timeout",
    ],
  ])("treats a completed request with an error as failed: %j", async (trouble, code) => {
    upstream.trouble(/\/what$/, trouble);
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", error: { code } });
    expect(upstream.created()).toHaveLength(1);
  });

  it("treats success without a file as a failure", async () => {
    upstream.result = () => ({ seed: 7 });
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", error: { code: "upstream_invalid_response" } });
  });

  it("does not accept a web page as a video", async () => {
    upstream.result = (origin) => ({ video: { url: `${origin}/files/out.mp4` } });
    upstream.trouble(/out\.mp4/, {
      status: 200,
      headers: { "content-type": "video/mp4" },
      text: "<html></html>",
    });
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", error: { code: "upstream_invalid_response" } });
  });

  it("sends its key to no other host", async () => {
    const elsewhere = "https://elsewhere.example";
    upstream.trouble(/acme/, {
      status: 200,
      json: { request_id: "x", status_url: elsewhere, response_url: elsewhere, cancel_url: elsewhere },
    });
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", error: { code: "upstream_invalid_response" } });
  });

  it("cancels a request", async () => {
    upstream.polls = 100;
    const { body } = await mapped.post("/videos", video);
    await upstream.next(/\/how$/);
    await mapped.post(`/predictions/${body.id}/cancel`, {});
    expect(upstream.seen.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });
});
