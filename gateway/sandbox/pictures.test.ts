import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ApiType } from "#contract/catalog.ts";
import type { ProviderOutput } from "#gateway/models/providers/provider.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { markAscii, markText } from "./mark.ts";
import { finish, startSandbox, type TestMedia } from "./testing/fixture.ts";
import { picture } from "./testing/media.ts";

const test = shared(startSandbox);

async function make(
  model: string,
  input: Record<string, unknown>,
  media: TestMedia[] = [],
  apiType: ApiType = media.length > 0 ? "image-editing" : "image-generation",
) {
  const result = await test.sandbox.execute(await test.request(model, apiType, input, media));
  if (result.kind !== "images") throw new Error(result.kind);
  const files = result.outputs.map((output: ProviderOutput) =>
    "bytes" in output ? output.bytes : Buffer.alloc(0),
  );
  return { ...result, files };
}
/** Red, green and blue of one pixel. */
async function pixel(file: string | Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(file).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())];
}
const small = { prompt: "A lake at dawn", size: "320*200" };

describe("pictures", () => {
  it("returns n different ones of exactly the requested size, marked in their metadata", async () => {
    const { files, outputs, usage } = await make("img-gen-a-1", { ...small, n: 2 });
    expect(outputs).toMatchObject([
      { width: 320, height: 200, contentType: "image/png" },
      { width: 320, height: 200, contentType: "image/png" },
    ]);
    expect(usage).toEqual({ unit: "generation", quantity: 2 });
    expect(files[0]?.equals(files[1] ?? Buffer.alloc(0))).toBe(false);
    const { exif, xmp, width, height } = await sharp(files[0]).metadata();
    expect([width, height]).toEqual([320, 200]);
    expect(exif?.toString("latin1")).toContain(markAscii);
    expect(xmp?.toString("utf8")).toContain(markText);
    expect(xmp?.toString("utf8")).toContain("algorithmicMedia");
  });

  it("draws the same bytes for the same request, others for another seed, prompt or colour", async () => {
    const one = async (input: object) =>
      (await make("adult-img-1", { width: 256, height: 256, ...input })).files[0];
    const base = await one({ prompt: "hills", seed: 7 });
    expect(await one({ prompt: "hills", seed: 7 })).toEqual(base);
    for (const other of [
      { prompt: "hills", seed: 8 },
      { prompt: "red hills", seed: 7 },
      { prompt: "hills", seed: 7, prompt_extend: true },
    ])
      expect((await one(other))?.equals(base ?? Buffer.alloc(0))).toBe(false);
  });

  it("explains what is wrong with a size", async () => {
    await expect(make("img-gen-a-1", { prompt: "x", size: "big" })).rejects.toMatchObject({
      code: "invalid_parameter",
      param: "size",
    });
  });

  it("makes IMG-GEN-B as a job, in the requested format and quality", async () => {
    const input = { prompt: "dunes", size: "1024x1024", quality: "low", output_format: "jpeg", n: 1 };
    const looks = async () => {
      const request = await test.request("img-gen-b", "image-generation", input);
      const { status, seen } = await finish(test.sandbox, request);
      expect(status).toMatchObject({
        state: "succeeded",
        outputs: [{ width: 1024, height: 1024, contentType: "image/jpeg" }],
        usage: { unit: "generation", quantity: 1 },
      });
      return seen.length;
    };
    // Made again if this process was so slow that its first look already saw the end.
    await expect.poll(looks).toBeGreaterThan(1);
  });
});

describe("edits and swaps", () => {
  it("recolours the first picture and removes its GPS position", async () => {
    const media: TestMedia[] = [
      { path: "/image/0", kind: "image", bytes: await picture(200, 150, "#3377aa") },
      { path: "/image/1", kind: "image", bytes: await picture(120, 120, "#aa3333") },
    ];
    const edit = async (prompt: string) =>
      (await make("img-gen-a-1", { prompt, image: ["a", "b"], seed: 1 }, media)).files[0];
    const warm = await edit("golden sunset");
    expect((await edit("purple night"))?.equals(warm ?? Buffer.alloc(0))).toBe(false);
    const metadata = await sharp(warm).metadata();
    expect(metadata.width).toBe(200);
    expect(metadata.height).toBe(150);
    expect(metadata.exif?.includes("GPS")).toBe(false);
    const [red] = await pixel(warm ?? Buffer.alloc(0), 2, 60);
    expect(Math.abs((red ?? 0) - 0x33)).toBeLessThan(5);
  });

  it.each([
    ["512x512", 512, 512],
    ["640*480", 640, 480],
    ["64x64", 64, 64],
    ["2048x256", 2048, 256],
  ])("edits to exactly %s, with the label inside", async (size, width, height) => {
    const media: TestMedia[] = [
      { path: "/image/0", kind: "image", bytes: await picture(300, 200, "#3377aa") },
    ];
    const { files, outputs } = await make("img-gen-a-1", { prompt: "dusk", image: ["a"], size }, media);
    expect(outputs).toMatchObject([{ width, height }]);
    expect(await sharp(files[0]).metadata()).toMatchObject({ width, height });
    const [red = 255, green = 255, blue = 255] = await pixel(
      files[0] ?? Buffer.alloc(0),
      width - 2,
      height - 2,
    );
    expect(Math.max(red, green, blue)).toBeLessThan(40);
  });

  it.each(["swap-1", "swap-2"])("%s shows both pictures side by side and swaps nothing", async (model) => {
    const media: TestMedia[] = [
      { path: "/image/0", kind: "image", bytes: await picture(300, 300, "#00ff00") },
      { path: "/image/1", kind: "image", bytes: await picture(300, 300, "#0000ff") },
    ];
    const input = { image: ["a", "b"], person_rights_confirmed: true };
    const { status } = await finish(test.sandbox, await test.request(model, "image-editing", input, media));
    if (status.state !== "succeeded") throw new Error(status.state);
    const [output] = status.outputs;
    if (!output || !("file" in output)) throw new Error("no file");
    const { width = 0 } = await sharp(output.file).metadata();
    const at = (left: number) => pixel(output.file, left, 300);
    const [, green] = await at(Math.round(width * 0.25));
    const [, , blue] = await at(Math.round(width * 0.75));
    expect(green).toBeGreaterThan(250);
    expect(blue).toBeGreaterThan(250);
  });
});
