import { beforeEach, describe, expect, it } from "vitest";
import { landscapeImage } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { providerAt, startMappedGateway } from "./testing/mapped-gateway.ts";
import { startReplicateServer } from "./testing/replicate-server.ts";

const video = { model: "svc/adult-i2v-2", prompt: "waves", image: landscapeImage, duration: 5 };
const image = { model: "svc/img-gen-a-2", prompt: "waves", size: "512*512" };

describe("an output URL in an upstream's answer", () => {
  /** Another server on the private network that the providers file does not name. */
  /** A server that the file names as an origin of outputs. */
  const upstream = shared(startReplicateServer);
  const inner = shared(startReplicateServer);
  const files = shared(startReplicateServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        main: providerAt(upstream, {
          output_origins: [files.origin],
          credentials: { "us-virginia": {}, "sg-singapore": {} },
        }),
      },
      routes: [
        { models: ["svc/adult-i2v-2", "svc/img-gen-a-2"], provider: "main", upstream_model: "acme/any" },
      ],
    }),
  );
  beforeEach(() => {
    for (const server of [upstream, inner, files]) server.seen.length = 0;
    upstream.polls = 0;
  });
  const named = (output: string) => {
    upstream.end = { status: "succeeded", output };
  };

  it("is fetched from the provider's own origin and from those in the providers file", async () => {
    named("ORIGIN/files/out.mp4");
    expect((await mapped.run("/videos", video)).status).toBe("succeeded");
    named(`${files.origin}/files/out.mp4`);
    expect((await mapped.run("/videos", video)).status).toBe("succeeded");
  });

  it.each([
    ["a private address", () => `${inner.origin}/files/out.mp4`],
    ["a private address under https", () => `${inner.origin.replace("http:", "https:")}/files/out.mp4`],
    ["plain http", () => "http://example.com/out.mp4"],
  ])("is not fetched from %s", async (_, url) => {
    named(url());
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", error: { code: "upstream_invalid_response" } });
    expect(done.error?.message).toContain("its address is not allowed");
    expect(inner.seen).toHaveLength(0);
  });

  it("is not fetched for a sync answer either", async () => {
    named(`${inner.origin}/files/out.png`);
    const answer = await mapped.post("/images/generations", image);
    expect(answer.body.error).toMatchObject({ code: "upstream_invalid_response" });
    expect(inner.seen).toHaveLength(0);
  });

  it("is not fetched after a redirect to a private address", async () => {
    named("ORIGIN/files/out.mp4");
    upstream.trouble(/files/, { status: 302, headers: { location: `${inner.origin}/files/out.mp4` } });
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", error: { code: "upstream_invalid_response" } });
    expect(inner.seen).toHaveLength(0);
  });

  it("is named in a log line if it is refused", async () => {
    named(`${inner.origin}/files/out.mp4`);
    await mapped.run("/videos", video);
    expect(mapped.gateway.logLines.join("")).toContain(`"origin":"${inner.origin}"`);
  });
});
