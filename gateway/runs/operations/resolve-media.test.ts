import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { fileUrl, inputKey } from "#gateway/files/storage/signed-urls.ts";
import { announce, png, put, verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { duskImage, landscapeVideo, smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { type Authority, makeAuthority } from "#gateway/testing/certificates.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import { type Receiver, startReceiver } from "#gateway/testing/receiver.ts";
import { resolveMedia } from "./resolve-media.ts";

const bytesOf = (uri: string) => Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64");

describe("media of a request", () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let authority: Authority;
  let web: Receiver;
  let directory: string;

  beforeAll(async () => {
    const { folder } = inject("testServer");
    authority = await makeAuthority(mkdtempSync(path.join(folder, "ca-")));
    web = await startReceiver(authority.local);
    gateway = await startTestGateway({ role: "api" });
    account = await gateway.createAccount();
    reachLocal(true);
  });
  beforeEach(() => {
    directory = newFolder("media");
  });
  afterAll(async () => {
    await gateway.close();
    await web.close();
  });

  /** Sets whether the guard allows this machine's own addresses. */
  function reachLocal(allowed: boolean): void {
    Object.assign(gateway.context.config, { mediaAllowCidrs: allowed ? ["127.0.0.0/8"] : [] });
    Object.assign(gateway.context.config.webhooks, {
      // The webhook setting has no effect on media.
      allowCidrs: ["127.0.0.0/8"],
      ports: [443, web.port],
      caFile: authority.caFile,
    });
  }

  function resolve(
    id: string,
    body: Record<string, unknown>,
    limits?: Record<string, unknown>,
    apiType?: string,
  ) {
    const model = gateway.context.catalog.model(`svc/${id}`);
    const compiled = gateway.context.catalog.operation(`svc/${id}`, apiType ?? model?.api_types[0] ?? "");
    if (!compiled) throw new Error(`no ${id}`);
    const { accountId } = account;
    const signal = new AbortController().signal;
    return resolveMedia(gateway.context, {
      accountId,
      compiled,
      body,
      files: new Map(),
      limits: limits ?? compiled.operation.limits,
      signal,
      directory,
    });
  }

  const refusal = (code: string, param: string, message: RegExp = /./) =>
    expect.objectContaining({ code, param, message: expect.stringMatching(message) });
  const serve = (bytes: Buffer, headers: Record<string, string> = {}) =>
    web.answer((_received, response) => response.writeHead(200, headers).end(bytes));

  it("can be an upload, a data URI, our own URL or a web URL, in the order of the body", async () => {
    const upload = await verifiedUpload(gateway, account.key);
    await gateway.context.store.put("outputs/pred_1/1.jpg", bytesOf(duskImage), {
      contentType: "image/jpeg",
    });
    const own = fileUrl(gateway.context, inputKey("outputs/pred_1/1.jpg"), {
      expiresAt: new Date(Date.now() + 60_000),
    });
    serve(bytesOf(smallImage), { "content-type": "text/html" });
    const image = [upload.reference, upload.id, smallImage, own, `${web.url}/a.png#top`];
    const found = await resolve("img-gen-a-1", { image }, undefined, "image-editing");
    expect(found.map(({ path, kind, contentType }) => `${path} ${kind} ${contentType}`)).toEqual([
      "/image/0 image image/png",
      "/image/1 image image/png",
      "/image/2 image image/png",
      "/image/3 image image/jpeg",
      "/image/4 image image/png",
    ]);
    for (const { file, sizeBytes } of found) expect(readFileSync(file)).toHaveLength(sizeBytes);
    expect(readFileSync(found[0]?.file ?? "").equals(png)).toBe(true);
  });

  it("gets its type from its bytes: a container with only sound is audio in an audio field, and either in a free field", async () => {
    expect(await resolve("asr-1", { audio: landscapeVideo })).toMatchObject([
      { kind: "audio", contentType: "audio/mp4" },
    ]);
    const media = [{ url: landscapeVideo }, speechAudio, { type: "reference_image", url: smallImage }];
    expect((await resolve("vid-edit", { media })).map(({ kind }) => kind).sort()).toEqual([
      "audio",
      "image",
      "video",
    ]);
  });

  describe("is refused", () => {
    it("when the upload cannot be used", async () => {
      const usable = await verifiedUpload(gateway, account.key);
      const pending = await announce(gateway, account.key);
      const uploaded = await announce(gateway, account.key);
      await put(uploaded);
      const other = await verifiedUpload(gateway, (await gateway.createAccount()).key);
      for (const [text, message] of [
        [pending.reference, /has not been received/],
        [uploaded.reference, /has not been verified/],
        [other.id, /does not exist/],
        ["upload://upl_nonsense", /does not exist/],
      ] as const) {
        const body = { image: [usable.reference, text], person_rights_confirmed: true };
        await expect(resolve("swap-1", body)).rejects.toEqual(
          refusal("upload_not_usable", "image[1]", message),
        );
      }
    });

    it.each([
      [
        "svg",
        `data:image/png;base64,${Buffer.from("<svg/>").toString("base64")}`,
        "unsupported_content_type",
        /accepted type/,
      ],
      [
        "sound instead of a picture",
        speechAudio,
        "unsupported_content_type",
        /must be image, but the file is audio\/wav/,
      ],
      ["an empty file", "data:image/png;base64,", "unsupported_content_type", /./],
      ["text that is not a reference", "cat.png", "media_fetch_failed", /must be upload/],
      ["a data URI that is not base64", "data:image/png,abc", "media_fetch_failed", /base64/],
      ["broken base64", "data:image/png;base64,a b", "media_fetch_failed", /base64/],
      ["http", "http://example.com/a.png", "media_fetch_failed", /https/],
      ["a file URL", "file:///etc/passwd", "media_fetch_failed", /must be upload/],
    ])("when it is %s", async (_what, image, code, message) => {
      await expect(resolve("adult-i2v-1", { image })).rejects.toEqual(refusal(code, "image", message));
    });

    it("when one of the gateway's own URLs was changed, has expired or has no file", async () => {
      const soon = new Date(Date.now() + 60_000);
      const gone = fileUrl(gateway.context, inputKey("outputs/none/1.png"), { expiresAt: soon });
      await expect(resolve("asr-1", { audio: gone })).rejects.toEqual(
        refusal("media_fetch_failed", "audio", /removed/),
      );
      const changed = gone.replace("none", "else");
      await expect(resolve("asr-1", { audio: changed })).rejects.toEqual(
        refusal("media_fetch_failed", "audio", /signature does not match/),
      );
      const late = fileUrl(gateway.context, inputKey("outputs/none/1.png"), { expiresAt: new Date(0) });
      await expect(resolve("asr-1", { audio: late })).rejects.toEqual(
        refusal("media_fetch_failed", "audio", /expired/),
      );
    });

    it("when it is larger than the operation accepts, whatever its source", async () => {
      const limits = { maxInputBytes: 100 };
      const upload = await verifiedUpload(gateway, account.key);
      web.answer((_received, response) => {
        response.writeHead(200);
        response.write(png);
      });
      for (const image of [smallImage, upload.reference, `${web.url}/endless`])
        await expect(resolve("adult-i2v-1", { image }, limits)).rejects.toEqual(
          refusal("input_too_large", "image", /100 bytes/),
        );
      web.answer((_received, response) =>
        response.writeHead(200, { "content-length": "101" }).flushHeaders(),
      );
      await expect(resolve("adult-i2v-1", { image: web.url }, limits)).rejects.toEqual(
        refusal("input_too_large", "image"),
      );
      expect(readdirSync(directory)).toEqual([]);
    });

    it("when there are more pictures than the operation accepts", async () => {
      const body = { image: Array.from({ length: 10 }, () => smallImage) };
      const ten = resolve("img-gen-a-1", body, undefined, "image-editing");
      await expect(ten).rejects.toEqual(refusal("input_too_large", "image", /10 images; at most 9/));
    });
  });

  describe("from the web", () => {
    const fetched = () => resolve("adult-i2v-1", { image: `${web.url}/start` });

    it("follows up to three redirects", async () => {
      let left = 3;
      web.answer((_received, response) => {
        if (left === 0) return response.writeHead(200).end(png);
        left -= 1;
        return response.writeHead(302, { location: "/next" }).end();
      });
      expect(await fetched()).toMatchObject([{ contentType: "image/png" }]);
      left = 4;
      await expect(fetched()).rejects.toEqual(
        refusal("media_fetch_failed", "image", /redirects more than 3 times/),
      );
    });

    it("checks where a redirect leads", async () => {
      for (const location of [
        "https://10.0.0.1/a.png",
        "http://example.com/a.png",
        "https://169.254.169.254/",
        "https://localhost/",
      ]) {
        web.answer((_received, response) => response.writeHead(307, { location }).end());
        await expect(fetched()).rejects.toEqual(
          refusal("media_fetch_failed", "image", /redirects to a URL that/),
        );
      }
    });

    it("reports the server's status, or an interrupted transfer", async () => {
      web.answer((_received, response) => response.writeHead(404).end("no"));
      await expect(fetched()).rejects.toEqual(refusal("media_fetch_failed", "image", /answered 404/));
      web.answer((_received, response) => {
        response.writeHead(200, { "content-length": "5000" });
        response.write(png.subarray(0, 100), () => response.destroy());
      });
      await expect(fetched()).rejects.toEqual(refusal("media_fetch_failed", "image", /is incomplete/));
    });

    it("does not reach private addresses", async () => {
      reachLocal(false);
      const before = web.received.length;
      try {
        await expect(fetched()).rejects.toEqual(
          refusal("media_fetch_failed", "image", /not a public address/),
        );
        expect(web.received).toHaveLength(before);
      } finally {
        reachLocal(true);
      }
    });
  });
});
