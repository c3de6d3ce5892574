import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import path from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import type { Upload } from "#contract/upload.ts";
import { leastAppendBytes, uploadPartBytes } from "#contract/upload-constants.ts";
import { reservedFileSweep } from "#gateway/files/storage/remove-files.ts";
import { startS3Server } from "#gateway/files/storage/testing/s3-server.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import { uploadSweep } from "../expire.ts";
import { append, appendAndCut, MiB, movie, offsetOf, sendByTus, tusHeaders } from "../testing/resume.ts";
import { announce, png, put, verify } from "../testing/upload.ts";
import { uploadTransferSweep } from "./finish.ts";
import { appendToUpload } from "./tus.ts";

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const mp4 = { content_type: "video/mp4", filename: "clip.mp4" };
const soon = { interval: 20 };

describe.each(["disk", "s3"] as const)("an upload that continues, with the %s store", (kind) => {
  const s3 = shared(startS3Server);
  const gateway = shared(() =>
    startTestGateway({
      role: "api",
      ...(kind === "s3" && {
        s3: { bucket: "bucket", endpoint: s3.endpoint, region: "us-east-1", prefix: "gate/" },
      }),
    }),
  );
  const account = shared(() => gateway.createAccount());

  const read = async (id: string) =>
    (await call(gateway, account.key, "GET", `/uploads/${id}`)).body as unknown as Upload;
  const partsOf = async (id: string) =>
    (await call(gateway, account.key, "GET", `/uploads/${id}/parts`)).body.data as {
      number: number;
      offset_bytes: number;
      size_bytes: number;
      sha256: string;
    }[];
  const query = async <Row>(text: string, values: unknown[] = []) =>
    (await gateway.context.database.pool.query(text, values)).rows as Row[];
  /** All objects of an upload in the store, including parts and unfinished objects. */
  const storedOf = (id: string): string[] => {
    if (kind === "s3")
      return [
        ...s3.objects.keys(),
        ...[...s3.unfinished.values()].map(({ key }) => `${key} (unfinished)`),
      ].filter((key) => key.includes(id));
    try {
      const folder = path.join(gateway.context.config.dataDir, "files/objects/uploads", id);
      return readdirSync(folder, { recursive: true }).map(String);
    } catch {
      return [];
    }
  };
  const isFree = (id: string) =>
    expect
      .poll(
        async () =>
          (
            await query("select 1 from upload_transfers where upload_id = $1 and lease_expires_at > now()", [
              id,
            ])
          ).length,
        soon,
      )
      .toBe(0);
  const downloaded = async (url: string | null) => Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
  /** Expects the same result as after a single PUT. */
  async function expectWhole(upload: Upload, bytes: Buffer): Promise<void> {
    const { upload: verified } = await verify(gateway, account.key, upload.id);
    expect(verified).toMatchObject({
      status: "verified",
      sha256: sha256(bytes),
      size_bytes: bytes.length,
      received_bytes: bytes.length,
      resume_url: null,
      error: null,
    });
    expect((await downloaded(verified.download_url)).equals(bytes)).toBe(true);
    expect(storedOf(upload.id)).toHaveLength(kind === "s3" ? 1 : 2);
    expect(await query("select 1 from upload_transfers where upload_id = $1", [upload.id])).toEqual([]);
    expect(await query("select 1 from upload_parts where upload_id = $1", [upload.id])).toEqual([]);
  }

  it("is received by the unmodified client of tus, with one request and with many", async () => {
    const bytes = movie(20 * MiB + 12_345);
    for (const chunkSize of [undefined, 3 * MiB]) {
      const upload = await announce(gateway, account.key, bytes, mp4);
      expect(upload).toMatchObject({ status: "pending", received_bytes: 0 });
      await sendByTus(upload, bytes, chunkSize === undefined ? {} : { chunkSize });
      expect(await read(upload.id)).toMatchObject({ status: "uploaded", received_bytes: bytes.length });
      await expectWhole(upload, bytes);
    }
  });

  it("continues where it stopped, however often and wherever its connection is cut", async () => {
    const random = seededRandom(`cuts with ${kind}`);
    const bytes = movie(40 * MiB + 7);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const line = await startBadLine(gateway.url, random);
    await sendByTus(upload, bytes, {
      url: (upload.resume_url ?? "").replace(new URL(gateway.url).host, `127.0.0.1:${line.port}`),
      retryDelays: Array.from({ length: 100 }, () => 150),
    });
    expect(line.cuts()).toBeGreaterThan(4);
    await line.close();
    await expectWhole(upload, bytes);
    await sweepAll(gateway.context, reservedFileSweep);
    expect(await query("select 1 from generations where account_id = $1", [account.accountId])).toEqual([]);
  }, 120_000);

  it("reports the exact number of stored bytes as its offset, and lists the parts with their hashes", async () => {
    const bytes = movie(2 * uploadPartBytes + 1000);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const cutAt = uploadPartBytes + 1_000_000;
    await appendAndCut(upload, 0, bytes, cutAt);
    await isFree(upload.id);
    const offset = await offsetOf(upload);
    expect(offset).toBeGreaterThan(uploadPartBytes);
    expect(offset).toBeLessThanOrEqual(cutAt);
    expect((await read(upload.id)).received_bytes).toBe(offset);
    expect(await partsOf(upload.id)).toEqual([
      {
        number: 1,
        offset_bytes: 0,
        size_bytes: uploadPartBytes,
        sha256: sha256(bytes.subarray(0, uploadPartBytes)),
      },
      {
        number: 2,
        offset_bytes: uploadPartBytes,
        size_bytes: offset - uploadPartBytes,
        sha256: sha256(bytes.subarray(uploadPartBytes, offset)),
      },
    ]);
    const rest = await append(upload, offset, bytes.subarray(offset));
    expect([rest.status, rest.headers.get("upload-offset")]).toEqual([204, String(bytes.length)]);
    await expectWhole(upload, bytes);
  });

  it("has one writer at a time; another one gets the number of stored bytes", async () => {
    const bytes = movie(uploadPartBytes + leastAppendBytes);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const first = slowly(upload, bytes);
    await first.write(0, uploadPartBytes + 10);
    await expect.poll(() => offsetOf(upload), soon).toBe(uploadPartBytes);
    const second = await append(upload, uploadPartBytes, bytes.subarray(uploadPartBytes));
    expect([second.status, second.headers.get("upload-offset"), await second.json()]).toMatchObject([
      423,
      String(uploadPartBytes),
      { error: { code: "upload_locked" } },
    ]);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    await first.write(uploadPartBytes + 10, bytes.length);
    expect(await first.status).toBe(204);
    await expectWhole(upload, bytes);
  });

  it("keeps the bytes that arrived before its sender went silent, and lets it continue", async () => {
    const bytes = movie(uploadPartBytes, 9);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const body = new PassThrough();
    body.write(bytes.subarray(0, MiB));
    await expect(appendToUpload(gateway.context, upload.id, 0, body, 100)).rejects.toThrow(
      "no bytes arrived",
    );
    expect(await offsetOf(upload)).toBe(MiB);
    expect((await append(upload, MiB, bytes.subarray(MiB))).status).toBe(204);
    await expectWhole(upload, bytes);
  });

  it("cannot be taken over without notifying the writer whose lease ended", async () => {
    const bytes = movie(2 * uploadPartBytes, 10);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const body = new PassThrough();
    const late = appendToUpload(gateway.context, upload.id, 0, body).catch((error: unknown) => error);
    body.write(bytes.subarray(0, MiB));
    const lapse = "update upload_transfers set lease_expires_at = now() where upload_id = $1 returning 1";
    await expect.poll(async () => (await query(lapse, [upload.id])).length, soon).toBe(1);
    expect((await append(upload, 0, bytes)).status).toBe(204);
    body.end(bytes.subarray(MiB));
    expect(await late).toMatchObject({ code: "upload_locked" });
    await sweepAll(gateway.context, reservedFileSweep);
    await expectWhole(upload, bytes);
  });

  it("refuses another offset, another version, another type, too little and too much", async () => {
    const bytes = movie(uploadPartBytes);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const refusals = [
      await append(upload, 5, bytes.subarray(5)),
      await append(upload, 0, bytes, { "tus-resumable": "0.2.2" }),
      await append(upload, 0, bytes, { "content-type": "video/mp4" }),
      await append(upload, 0, bytes, { "upload-offset": "0x0" }),
      await append(upload, 0, bytes.subarray(0, 1000)),
      await append(upload, 0, Buffer.concat([bytes, Buffer.from("more")])),
    ];
    const told = await Promise.all(
      refusals.map(async (answer) => [
        answer.status,
        ((await answer.json()) as { error: { code: string } }).error.code,
      ]),
    );
    expect(told).toEqual([
      [409, "upload_offset_mismatch"],
      [412, "tus_version_not_supported"],
      [415, "unsupported_media_type"],
      [400, "invalid_parameter"],
      [400, "invalid_parameter"],
      [400, "invalid_parameter"],
    ]);
    expect(refusals[0]?.headers.get("upload-offset")).toBe("0");
    expect(refusals[1]?.headers.get("tus-version")).toBe("1.0.0");
    expect(await offsetOf(upload)).toBe(0);
    expect((await append(upload, 0, bytes)).status).toBe(204);
    const again = await append(upload, bytes.length, bytes.subarray(0, leastAppendBytes));
    expect([again.status, await again.json()]).toMatchObject([
      409,
      { error: { code: "upload_already_received" } },
    ]);
    expect(await offsetOf(upload)).toBe(bytes.length);
  });

  it("accepts only its signed address, while that is valid", async () => {
    const bytes = movie(leastAppendBytes);
    const [upload, other] = [
      await announce(gateway, account.key, bytes, mp4),
      await announce(gateway, account.key, bytes, mp4),
    ];
    for (const url of [
      (upload.resume_url ?? "").replace(upload.id, other.id),
      (upload.resume_url ?? "").replace(/expires=\d/, "expires=9"),
      upload.upload_url ?? "",
    ]) {
      const answer = await append({ ...upload, resume_url: url }, 0, bytes);
      expect([answer.status, await answer.json()]).toMatchObject([
        403,
        { error: { code: "signature_invalid" } },
      ]);
      expect((await fetch(url, { method: "HEAD", headers: tusHeaders })).status).toBe(403);
    }
  });

  it("is verified like any other: a wrong type and a wrong hash reject it", async () => {
    const bytes = movie(leastAppendBytes);
    for (const [fields, code] of [
      [{ ...mp4, content_type: "image/png" }, "content_type_mismatch"],
      [{ ...mp4, sha256: "0".repeat(64) }, "checksum_mismatch"],
    ] as const) {
      const upload = await announce(gateway, account.key, bytes, fields);
      await append(upload, 0, bytes);
      expect((await verify(gateway, account.key, upload.id)).upload).toMatchObject({
        status: "rejected",
        error: { code },
      });
      expect(storedOf(upload.id)).toEqual([]);
    }
  });

  it("notices bytes that changed in the store", async () => {
    const bytes = movie(uploadPartBytes + leastAppendBytes);
    const upload = await announce(gateway, account.key, bytes, mp4);
    await append(upload, 0, bytes);
    const [row] = await query<{ storage_key: string }>("select storage_key from uploads where id = $1", [
      upload.id,
    ]);
    const damaged = Buffer.from(bytes);
    damaged[uploadPartBytes + 5] = (damaged[uploadPartBytes + 5] ?? 0) ^ 1;
    await gateway.context.store.put(row?.storage_key ?? "", damaged, { contentType: "video/mp4" });
    expect((await verify(gateway, account.key, upload.id)).upload).toMatchObject({
      error: { code: "checksum_mismatch" },
    });
  });

  describe("an upload whose process dies", () => {
    it("after the last part is completed by the next request", async () => {
      for (const ask of ["HEAD", "verify"]) {
        const bytes = movie(uploadPartBytes + leastAppendBytes, 3);
        const upload = await announce(gateway, account.key, bytes, mp4);
        const complete = vi
          .spyOn(gateway.context.store.parts, "complete")
          .mockRejectedValueOnce(new Error("killed"));
        expect((await append(upload, 0, bytes)).status).toBe(500);
        expect(await read(upload.id)).toMatchObject({ status: "pending", received_bytes: bytes.length });
        if (ask === "HEAD") expect(await offsetOf(upload)).toBe(bytes.length);
        await expectWhole(upload, bytes);
        complete.mockRestore();
      }
    });

    it("between the finished object and its row is completed once", async () => {
      const bytes = movie(uploadPartBytes + leastAppendBytes, 4);
      const upload = await announce(gateway, account.key, bytes, mp4);
      const { parts } = gateway.context.store;
      const { complete } = parts;
      const spy = vi.spyOn(parts, "complete").mockImplementationOnce(async (...whole) => {
        await complete(...whole);
        throw new Error("killed");
      });
      expect((await append(upload, 0, bytes)).status).toBe(500);
      spy.mockRestore();
      await expectWhole(upload, bytes);
    });

    it("leaves nothing if it died before it could record its first part", async () => {
      const bytes = movie(uploadPartBytes);
      const upload = await announce(gateway, account.key, bytes, mp4);
      const { parts } = gateway.context.store;
      const { begin } = parts;
      const spy = vi.spyOn(parts, "begin").mockImplementationOnce(async (...object) => {
        await begin(...object);
        throw new Error("killed");
      });
      expect((await append(upload, 0, bytes)).status).toBe(500);
      expect(storedOf(upload.id)).toHaveLength(1);
      expect((await append(upload, 0, bytes)).status).toBe(204);
      spy.mockRestore();
      await expectWhole(upload, bytes);
      const gone = await announce(gateway, account.key, bytes, mp4);
      vi.spyOn(parts, "begin").mockImplementationOnce(async (...object) => {
        await begin(...object);
        throw new Error("killed");
      });
      await append(gone, 0, bytes);
      vi.restoreAllMocks();
      await call(gateway, account.key, "DELETE", `/uploads/${gone.id}`);
      expect(storedOf(gone.id)).toEqual([]);
    });
  });

  it("starts again when the store has lost its parts", async () => {
    const bytes = movie(uploadPartBytes + 2 * leastAppendBytes, 5);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const most = uploadPartBytes + leastAppendBytes;
    expect((await append(upload, 0, bytes.subarray(0, most))).status).toBe(204);
    const [row] = await query<{ key: string; multipart_id: string }>(
      "select key, multipart_id from upload_transfers where upload_id = $1",
      [upload.id],
    );
    await gateway.context.store.parts.abort(row?.key ?? "", row?.multipart_id ?? null);
    const lost = await append(upload, most, bytes.subarray(most));
    expect([lost.status, lost.headers.get("upload-offset")]).toEqual([409, "0"]);
    await sendByTus(upload, bytes);
    await expectWhole(upload, bytes);
  });

  it("stays alive while parts arrive, is removed with its parts when they stop, and counts with its full size meanwhile", async () => {
    const bytes = movie(uploadPartBytes + 2 * leastAppendBytes, 6);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const held = async () =>
      Number(
        (
          await query<{ bytes: string }>("select bytes from account_storage where account_id = $1", [
            account.accountId,
          ])
        )[0]?.bytes,
      );
    const before = await held();
    expect((await append(upload, 0, bytes.subarray(0, uploadPartBytes + leastAppendBytes))).status).toBe(204);
    const [row] = await query<{ url_expires_at: Date }>("select url_expires_at from uploads where id = $1", [
      upload.id,
    ]);
    expect(row?.url_expires_at.getTime()).toBeGreaterThan(
      Date.now() + gateway.context.config.retentionMs - 60_000,
    );
    expect(await held()).toBe(before);
    await query("update uploads set url_expires_at = now() where id = $1", [upload.id]);
    await sweepAll(gateway.context, uploadSweep);
    await sweepAll(gateway.context, uploadTransferSweep);
    expect((await read(upload.id)).status).toBe("expired");
    expect(await held()).toBe(before - bytes.length);
    expect(storedOf(upload.id)).toEqual([]);
    const late = await append(upload, uploadPartBytes, bytes.subarray(uploadPartBytes));
    expect(late.status).toBe(403);
  });

  it("is removed with its parts when it is deleted, also while it is sent", async () => {
    const bytes = movie(3 * uploadPartBytes, 7);
    const upload = await announce(gateway, account.key, bytes, mp4);
    const sending = slowly(upload, bytes);
    await sending.write(0, uploadPartBytes + 1000);
    await expect.poll(() => offsetOf(upload), soon).toBe(uploadPartBytes);
    await call(gateway, account.key, "DELETE", `/uploads/${upload.id}`);
    await sending.write(uploadPartBytes + 1000, 2 * uploadPartBytes + 1000);
    expect(await sending.status).toBe(404);
    await isFree(upload.id);
    await sweepAll(gateway.context, uploadTransferSweep);
    expect(storedOf(upload.id)).toEqual([]);
    expect(await query("select 1 from upload_transfers where upload_id = $1", [upload.id])).toEqual([]);
  });

  it("can still be sent by a single PUT", async () => {
    const bytes = movie(uploadPartBytes + leastAppendBytes, 8);
    const upload = await announce(gateway, account.key, bytes, mp4);
    expect((await append(upload, 0, bytes.subarray(0, uploadPartBytes))).status).toBe(204);
    expect((await put(upload, bytes)).status).toBe(200);
    expect(await offsetOf(upload)).toBe(bytes.length);
    await sweepAll(gateway.context, uploadTransferSweep);
    await expectWhole(upload, bytes);
  });

  it("is offered with the supported version of the protocol to browsers of any origin", async () => {
    const { resume_url } = await announce(gateway, account.key, png);
    const answer = await fetch(resume_url ?? "", {
      method: "OPTIONS",
      headers: { origin: "http://localhost:3000", "access-control-request-method": "PATCH" },
    });
    expect([answer.status, answer.headers.get("tus-version"), answer.headers.get("tus-extension")]).toEqual([
      204,
      "1.0.0",
      "expiration",
    ]);
    expect(answer.headers.get("access-control-allow-methods")).toBe("PUT, HEAD, PATCH");
    expect(answer.headers.get("access-control-allow-headers")).toContain("upload-offset");
    expect(answer.headers.get("access-control-expose-headers")).toContain("upload-offset");
  });

  it("shows its parts only to its own account", async () => {
    const upload = await announce(gateway, account.key, png);
    const other = await gateway.createAccount();
    expect(await call(gateway, other.key, "GET", `/uploads/${upload.id}/parts`)).toMatchObject({
      status: 404,
    });
  });
});

/** A PATCH whose bytes the test writes one after the other. */
function slowly(upload: Upload, bytes: Buffer) {
  const url = new URL(upload.resume_url ?? "");
  const socket = connect(Number(url.port), url.hostname);
  socket.on("error", () => {});
  socket.write(
    [
      `PATCH ${url.pathname}${url.search} HTTP/1.1`,
      "Host: x",
      "Tus-Resumable: 1.0.0",
      "Upload-Offset: 0",
      "Content-Type: application/offset+octet-stream",
      `Content-Length: ${bytes.length}`,
      "",
      "",
    ].join("\r\n"),
  );
  const status = once(socket, "data").then(([data]) => Number(String(data).split(" ")[1]));
  return {
    status,
    write: (from: number, to: number) =>
      new Promise<void>((resolve) => socket.write(bytes.subarray(from, to), () => resolve())),
  };
}

/** A proxy to the gateway that cuts connections at random points. */
async function startBadLine(url: string, random: () => number) {
  let cuts = 0;
  const target = new URL(url);
  const server = createTcpServer((client: Socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    // Five of these are less than the 40 MiB of the upload, so there are always five cuts.
    let left = Math.floor(random() * 8 * MiB);
    client.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left > 0) return void upstream.write(chunk);
      cuts += 1;
      upstream.end(chunk.subarray(0, chunk.length + left));
      upstream.destroySoon();
      client.destroy();
    });
    upstream.on("data", (chunk) => client.write(chunk));
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.on("close", () => upstream.destroySoon());
    upstream.on("close", () => client.destroySoon());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    close: async () => {
      server.close();
    },
  };
}
