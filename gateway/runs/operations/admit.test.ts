import Replicate from "replicate";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

/** This model generates images and edits them. */
const path = "/models/svc/img-gen-a-1/predictions";

describe("which operation POST /models/{namespace}/{name}/predictions runs", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());

  const post = async (input: unknown, query = "", more: object = {}, headers = {}) => {
    const answer = await call(gateway, account.key, "POST", `${path}${query}`, { input, ...more }, headers);
    const error = answer.body.error as { code: string; param: string | null; message: string } | null;
    return { ...answer, error };
  };
  const words = { prompt: "a lighthouse", size: "320x240" };
  /** Whether the sandbox derived this picture from another one, according to its metadata. */
  const holdsAnother = async (output: unknown) => {
    const [url = ""] = output as string[];
    const { xmp } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata();
    return xmp?.toString("utf8").includes("compositeSynthetic");
  };
  const ignored = (headers: Headers) => headers.get("x-svc-ignored-params");

  it("edits if there is an image, generates if there is none", async () => {
    const edited = await post({ ...words, image: [smallImage] });
    expect(edited).toMatchObject({ status: 200, error: null });
    expect(ignored(edited.headers)).toBeNull();
    const made = await post(words);
    expect(made.status).toBe(200);
    expect(await holdsAnother(edited.body.output)).toBe(true);
    expect(await holdsAnother(made.body.output)).toBe(false);
  });

  it("replicate: run with an image edits it", async () => {
    const replicate = new Replicate({ auth: account.key, baseUrl: gateway.url, useFileOutput: false });
    const output = await replicate.run("svc/img-gen-a-1", { input: { ...words, image: [smallImage] } });
    expect(await holdsAnother(output)).toBe(true);
  });

  it("runs the operation that api_type names, and refuses fields that only the other has", async () => {
    expect((await post(words, "?api_type=image-generation")).status).toBe(200);
    const refused = await post({ ...words, image: [smallImage] }, "?api_type=image-generation");
    expect(refused).toMatchObject({ status: 400, error: { code: "invalid_parameter", param: "image" } });
    expect(refused.error?.message).toContain("image-editing");
    expect((await post(words, "?api_type=image-editing")).error).toMatchObject({
      code: "missing_parameter",
      param: "image",
    });
  });

  it.each([
    ["an input that fits none of them", { size: "320x240" }],
    ["null for everything", { prompt: null, image: null }],
  ])("names both operations for %s", async (_what, input) => {
    const { status, error } = await post(input);
    expect(status).toBe(400);
    expect(error?.code).toBe("missing_parameter");
    expect(error?.message).toContain("image-generation");
    expect(error?.message).toContain("image-editing");
    expect(error?.message).toContain("api_type");
  });

  it("reports that only the prompt is missing", async () => {
    const { status, error } = await post({ image: [smallImage] });
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: "missing_parameter",
      param: "prompt",
      message: "prompt is required",
    });
  });

  it("names all missing fields with their choices in one message", async () => {
    const body = { model: "svc/img-gen-b", prompt: "a pine" };
    const { status, body: answer } = await call(gateway, account.key, "POST", "/images/generations", body);
    expect([status, answer.error]).toMatchObject([400, { code: "missing_parameter", param: "quality" }]);
    const { message, details } = answer.error as { message: string; details: { message: string }[] };
    expect(message).toMatch(
      /^quality \(one of "low", .*\), size \(one of .*\) and output_format \(.*\) are required$/,
    );
    expect(details.map((detail) => detail.message)).toEqual(details.map(() => "is required"));
  });

  it("names the key that is probably the missing prompt", async () => {
    const { error } = await post({ image: [smallImage], promt: "a pine" });
    expect(error?.message).toBe("prompt is required; did you misspell it as promt?");
  });

  it("refuses an api_type that does not exist or that the model does not support", async () => {
    expect(await post(words, "?api_type=painting")).toMatchObject({
      status: 400,
      error: { code: "invalid_parameter", param: "api_type" },
    });
    expect(await post(words, "?api_type=text-to-speech")).toMatchObject({
      status: 400,
      error: { code: "operation_not_supported" },
    });
    expect(await post(words, "?apitype=image-editing")).toMatchObject({
      status: 400,
      error: { code: "invalid_parameter" },
    });
  });

  it("does not replay one operation's answer for the other under the same Idempotency-Key", async () => {
    const headers = { "idempotency-key": "which-operation" };
    expect((await post(words, "?api_type=image-generation", {}, headers)).status).toBe(200);
    expect((await post({ ...words, image: [smallImage] }, "", {}, headers)).error).toMatchObject({
      code: "idempotency_key_reused",
    });
  });

  it("refuses fields beside the input instead of ignoring them", async () => {
    expect((await post(words, "", { region: "cn-beijing" })).error).toMatchObject({
      code: "invalid_parameter",
      param: "region",
    });
    const webhook = await post(words, "", { webhook: "https://example.com/hook" });
    expect(webhook.error).toMatchObject({ code: "invalid_parameter", param: "webhook" });
    expect(webhook.error?.message).toContain("returns its result in the response itself");
    expect((await post({ ...words, model: "svc/img-gen-a-2" })).error).toMatchObject({
      code: "invalid_parameter",
      param: "model",
    });
  });
});
