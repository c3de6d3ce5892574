import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { reservedFileSweep } from "#gateway/files/storage/remove-files.ts";
import { inputKey } from "#gateway/files/storage/signed-urls.ts";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { bombPng, clip, picture, recording } from "#gateway/sandbox/testing/media.ts";
import { fresh, shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { previewUrl } from "./url.ts";

const gateway = shared(startTestGateway);
const account = fresh(() => gateway.createAccount());

const sql = async (text: string, ...values: unknown[]) =>
  (await gateway.context.database.pool.query(text, values)).rows;
const rowOf = async () => (await sql("select * from previews where account_id = $1", account.accountId))[0];
const storedBytes = async () =>
  Number((await sql("select bytes from account_storage where account_id = $1", account.accountId))[0]?.bytes);
const upload = (bytes: Buffer, contentType: string) =>
  verifiedUpload(gateway, account.key, bytes, contentType);

async function look(url: string | null) {
  const answer = await fetch(url ?? "no preview_url");
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes };
}
const codeOf = ({ bytes }: { bytes: Buffer }) => JSON.parse(bytes.toString()).error.code;

const image = { model: "svc/img-gen-a-1", prompt: "a red lighthouse", size: "256x256" };
const gif = () =>
  sharp({ create: { width: 60, height: 30, channels: 3, background: "teal" } })
    .gif()
    .toBuffer();
/** A BMP of 2 × 2. */
const bmp = Buffer.from(
  "Qk1GAAAAAAAAADYAAAAoAAAAAgAAAAIAAAABABgAAAAAABAAAAATCwAAEwsAAAAAAAAAAAAAAAD/////AAD/AAAA/wAAAA==",
  "base64",
);

describe("a preview", () => {
  it.each([
    ["a picture", () => picture(1600, 800, "navy"), "image/jpeg", { width: 512, height: 256 }],
    ["a small picture, which is not enlarged", gif, "image/gif", { width: 60, height: 30 }],
    ["a bitmap", async () => bmp, "image/bmp", { width: 2, height: 2 }],
    ["a video", async () => clip, "video/mp4", { width: 320, height: 180 }],
    ["a sound", async () => recording, "audio/wav", { width: 512, height: 256 }],
  ])("is a small WebP of %s, without metadata, that browsers keep", async (_kind, make, type, size) => {
    const file = await upload(await make(), type);
    const { status, headers, bytes } = await look(file.preview_url);
    expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ format: "webp", ...size });
    expect(metadata.exif).toBeUndefined();
    expect(headers.get("cache-control")).toMatch(/^private, max-age=\d{4,}, immutable$/);
    // The URL stays the same; otherwise browsers would load it again.
    const again = await call(gateway, account.key, "GET", `/uploads/${file.id}`);
    expect(again.body.preview_url).toBe(file.preview_url);
  });

  it("is rotated upright", async () => {
    const sideways = await sharp(await picture(400, 200, "green"))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const file = await upload(sideways, "image/jpeg");
    expect(await sharp((await look(file.preview_url)).bytes).metadata()).toMatchObject({
      width: 200,
      height: 400,
    });
  });

  it("exists for outputs of sync runs, but not for tables", async () => {
    await call(gateway, account.key, "POST", "/images/generations", image);
    const { body } = await call(gateway, account.key, "GET", "/outputs");
    const [output] = body.data as { preview_url: string }[];
    expect((await look(output?.preview_url ?? null)).status).toBe(200);
    const table = { key: inputKey("uploads/a/b"), contentType: "text/csv" };
    expect(previewUrl(gateway.context, { ...table, expiresAt: new Date() })).toBeNull();
  });

  it("is made once, however many people look at the same time", async () => {
    const put = vi.spyOn(gateway.context.store, "put");
    const file = await upload(await picture(800, 800, "olive"), "image/jpeg");
    put.mockClear();
    const looks = await Promise.all(Array.from({ length: 20 }, () => look(file.preview_url)));
    expect(looks.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await look(file.preview_url)).status).toBe(200);
    expect(put).toHaveBeenCalledTimes(1);
    put.mockRestore();
  });

  it("costs nothing until somebody looks", async () => {
    await upload(await picture(80, 80, "red"), "image/jpeg");
    expect(await rowOf()).toBeUndefined();
  });
});

describe("a file that cannot be read", () => {
  it.each([
    ["damaged", clip.subarray(0, 1500), "video/mp4"],
    ["enormous once decoded", bombPng(60_000), "image/png"],
  ])("that is %s has no preview, and is not tried again", async (_why, bytes, type) => {
    const file = await upload(bytes, type);
    const looks = [await look(file.preview_url), await look(file.preview_url)];
    expect(looks.map(({ status }) => status)).toEqual([404, 404]);
    expect(looks.map(codeOf)).toEqual(["preview_not_available", "preview_not_available"]);
    const row = await rowOf();
    expect(row).toMatchObject({ state: "none", preview_key: null, claimed_until: null });
    const tried = gateway.logLines.filter(
      (line) => line.includes("a file has no preview") && line.includes(row.key),
    );
    expect(tried).toHaveLength(1);
  });
});

describe("the URL of a preview", () => {
  it("works only with its signature, until the file is removed", async () => {
    const mine = await upload(await picture(40, 40, "red"), "image/jpeg");
    const url = new URL(mine.preview_url ?? "");
    const ended = previewUrl(gateway.context, {
      key: inputKey("uploads/a/b"),
      contentType: "image/png",
      expiresAt: new Date(Date.now() - 2_000),
    });
    const ofFile = url.href.replace("/previews/", "/files/");
    url.search = "";
    const other = url.href + new URL(ended ?? "").search;
    const codes = [url.href, other, ofFile, ended].map(async (address) => codeOf(await look(address)));
    const invalid = Array(3).fill("signature_invalid");
    expect(await Promise.all(codes)).toEqual([...invalid, "signature_expired"]);
    expect(Date.parse(mine.object_expires_at ?? "") / 1000).toBeCloseTo(
      Number(new URL(mine.preview_url ?? "").searchParams.get("expires")),
      -1,
    );
  });
});

describe("the URL of a file", () => {
  it("also opens its preview, because inputs of predictions have no other address", async () => {
    const mine = await upload(await picture(40, 40, "red"), "image/jpeg");
    const url = mine.download_url?.replace("/files/", "/previews/") ?? null;
    expect((await look(url)).headers.get("content-type")).toBe("image/webp");
  });
});

describe("the storage of an account", () => {
  it("counts the preview, which is removed with its file", async () => {
    const file = await upload(await picture(900, 900, "plum"), "image/jpeg");
    const before = await storedBytes();
    const { bytes } = await look(file.preview_url);
    expect(await storedBytes()).toBe(before + bytes.length);
    const { preview_key: key } = await rowOf();
    await call(gateway, account.key, "DELETE", `/uploads/${file.id}`);
    await sweepAll(gateway.context, reservedFileSweep);
    expect(await gateway.context.store.head(key)).toBeNull();
    expect([await rowOf(), await storedBytes()]).toEqual([undefined, 0]);
    expect(codeOf(await look(file.preview_url))).toBe("payload_purged");
    expect(await rowOf()).toBeUndefined();
  });

  it("removes previews together with their outputs", async () => {
    await call(gateway, account.key, "POST", "/images/generations", image);
    const { body } = await call(gateway, account.key, "GET", "/outputs");
    const [output] = body.data as { preview_url: string }[];
    await look(output?.preview_url ?? null);
    const { preview_key: key } = await rowOf();
    await sql("update generations set expires_at = now() where account_id = $1", account.accountId);
    await sweepAll(gateway.context, reservedFileSweep);
    await sweepAll(gateway.context, reservedFileSweep);
    expect(await gateway.context.store.head(key)).toBeNull();
    expect([await rowOf(), await storedBytes()]).toEqual([undefined, 0]);
  });

  it("records the preview before it is stored, and removes one whose file was removed meanwhile", async () => {
    const file = await upload(await picture(700, 700, "gold"), "image/jpeg");
    const { store } = gateway.context;
    const put = vi.spyOn(store, "put").mockImplementationOnce(async (key, ...rest) => {
      expect(await sql("select outputs from generations where id = $1", key)).toMatchObject([
        { outputs: [{ key }] },
      ]);
      put.mockRestore();
      const stored = await store.put(key, ...rest);
      await call(gateway, account.key, "DELETE", `/uploads/${file.id}`);
      stray = key;
      return stored;
    });
    let stray = "";
    expect(codeOf(await look(file.preview_url))).toBe("payload_purged");
    expect(await store.head(stray)).toBeNull();
    expect([await rowOf(), await storedBytes()]).toEqual([undefined, 0]);
  });

  it("keeps nothing of a failed attempt, and the next one succeeds", async () => {
    const file = await upload(await picture(700, 700, "pink"), "image/jpeg");
    vi.spyOn(gateway.context.store, "put").mockRejectedValueOnce(new Error("The store is away"));
    expect((await look(file.preview_url)).status).toBe(500);
    vi.restoreAllMocks();
    expect(await rowOf()).toBeUndefined();
    expect((await look(file.preview_url)).status).toBe(200);
  });
});

describe("another process", () => {
  const claimed = async (until: string) => {
    const file = await upload(await picture(300, 300, "gray"), "image/jpeg");
    const { pathname } = new URL(file.preview_url ?? "");
    const key = pathname.slice(pathname.indexOf("uploads/"));
    await sql(
      `insert into previews (key, account_id, state, preview_key, claimed_until)
       values ($1, $2, 'making', 'previews/theirs', now() + $3::interval)`,
      key,
      account.accountId,
      until,
    );
    return { file, key };
  };

  it("is replaced if it died, when somebody looks again", async () => {
    const { file } = await claimed("-1 second");
    expect((await look(file.preview_url)).status).toBe(200);
    expect(await rowOf()).toMatchObject({ state: "made", claimed_until: null });
  });

  it("is waited for while it makes the preview", async () => {
    const { file, key } = await claimed("1 minute");
    const looking = look(file.preview_url);
    await gateway.context.store.put("previews/theirs", Buffer.from("theirs"), { contentType: "image/webp" });
    await sql("update previews set state = 'made', claimed_until = null where key = $1", key);
    expect((await looking).bytes.toString()).toBe("theirs");
  });
});
