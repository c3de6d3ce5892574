import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { announce, png, put, verifiedUpload, verify } from "./testing/upload.ts";

const sha256 = createHash("sha256").update(png).digest("hex");

describe("uploads", () => {
  let key: string;
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const account = shared(() => gateway.createAccount());
  beforeAll(async () => {
    key = account.key;
  });
  const read = (id: string) => call(gateway, key, "GET", `/uploads/${id}`);

  it("are announced, sent and verified before they can be used", async () => {
    const answer = await call(gateway, key, "POST", "/uploads", {
      content_type: "image/png",
      size_bytes: png.length,
      filename: "C:\\Photos\\sun\u202eset.png",
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.get("location")).toBe(`${gateway.url}/uploads/${id}`);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toMatchObject({
      object: "upload",
      status: "pending",
      filename: "sunset.png",
      reference: `upload://${id}`,
      upload_method: "PUT",
      upload_headers: { "content-type": "image/png", "content-length": String(png.length) },
      download_url: null,
      sha256: null,
      object_expires_at: null,
    });
    const upload = await announce(gateway, key);
    const sent = await put(upload);
    expect([sent.status, await sent.json()]).toMatchObject([
      200,
      { id: upload.id, status: "uploaded", sha256 },
    ]);
    expect((await read(upload.id)).body).toMatchObject({
      status: "uploaded",
      upload_url: null,
      download_url: null,
    });
    const verified = await verify(gateway, key, upload.id, { sha256 });
    expect(verified).toMatchObject({ status: 200, upload: { status: "verified", sha256, error: null } });
    expect(Date.parse(verified.upload.object_expires_at ?? "")).toBeGreaterThan(Date.now() + 86_000_000);
    const again = await verify(gateway, key, upload.id);
    expect(again.upload).toMatchObject({ status: "verified", verified_at: verified.upload.verified_at });
    const bytes = Buffer.from(await (await fetch(verified.upload.download_url ?? "")).arrayBuffer());
    expect(bytes.equals(png)).toBe(true);
  });

  it.each([
    [{ content_type: "image/svg+xml", size_bytes: 1 }, "unsupported_content_type", "content_type"],
    [{ content_type: "text/html", size_bytes: 1 }, "unsupported_content_type", "content_type"],
    [{ content_type: "toString", size_bytes: 1 }, "unsupported_content_type", "content_type"],
    [{ content_type: "image/png", size_bytes: 20_971_521 }, "upload_too_large", "size_bytes"],
    [{ content_type: "audio/wav", size_bytes: 30_000_001 }, "upload_too_large", "size_bytes"],
    [{ content_type: "video/mp4", size_bytes: 524_288_001 }, "upload_too_large", "size_bytes"],
    [{ content_type: "image/png", size_bytes: 0 }, "invalid_parameter", "size_bytes"],
    [{ content_type: "image/png", size_bytes: "5" }, "invalid_parameter", "size_bytes"],
    [{ content_type: "image/png" }, "missing_parameter", "size_bytes"],
  ])("%j is refused: %s", async (body, code, param) => {
    const answer = await call(gateway, key, "POST", "/uploads", body);
    expect([answer.status, answer.body.error]).toMatchObject([400, { code, param }]);
  });

  it("may be larger than any JSON body", async () => {
    const large = Buffer.concat([png, Buffer.alloc(12_000_000)]);
    const upload = await verifiedUpload(gateway, key, large);
    expect(upload).toMatchObject({ status: "verified", size_bytes: large.length });
  });

  it("are read once, however many verify them at the same time", async () => {
    const upload = await announce(gateway, key);
    await put(upload);
    const reads = vi.spyOn(gateway.context.store, "get");
    const answers = await Promise.all(Array.from({ length: 60 }, () => verify(gateway, key, upload.id)));
    expect(answers.map((answer) => answer.upload.status)).toEqual(Array(60).fill("verified"));
    expect(reads).toHaveBeenCalledTimes(1);
    reads.mockRestore();
  });

  it("accept other names of a type", async () => {
    const upload = await announce(gateway, key, png, { content_type: "Audio/X-WAV; rate=8000" });
    expect(upload.content_type).toBe("audio/wav");
  });

  describe("the signed PUT", () => {
    it.each([
      [
        "another length",
        (url: string) => ({ url, bytes: png.subarray(1), type: "image/png" }),
        "signature_invalid",
      ],
      ["another type", (url: string) => ({ url, bytes: png, type: "text/html" }), "signature_invalid"],
      [
        "another upload",
        (url: string) => ({ url: url.replace(/upl_\w+/, "upl_0"), bytes: png, type: "image/png" }),
        "signature_invalid",
      ],
      [
        "a later expiry",
        (url: string) => ({ url: url.replace(/expires=\d/, "expires=9"), bytes: png, type: "image/png" }),
        "signature_invalid",
      ],
    ])("refuses %s", async (_what, change, code) => {
      const upload = await announce(gateway, key);
      const { url, bytes, type } = change(upload.upload_url ?? "");
      const sent = await put({ ...upload, upload_url: url }, bytes, type);
      expect([sent.status, await sent.json()]).toMatchObject([403, { error: { code } }]);
      expect((await read(upload.id)).body.status).toBe("pending");
    });

    it("is authorised by its signature, whatever Authorization header is sent", async () => {
      const upload = await announce(gateway, key);
      const headers = { "content-type": "image/png", authorization: "Basic bm9ib2R5OnNlY3JldA==" };
      const sent = await fetch(upload.upload_url ?? "", { method: "PUT", headers, body: png });
      expect(sent.status).toBe(200);
    });

    it.each([
      ["its type", { "content-type": "text/html" }, png, "Content-Type must be image/png"],
      ["its length", { "content-type": "image/png" }, png.subarray(1), "Content-Length must be"],
      [
        "a missing length",
        { "content-type": "image/png" },
        new Blob([png]).stream(),
        "Content-Length is missing",
      ],
    ])("reports that %s is wrong", async (_what, headers, body, message) => {
      const upload = await announce(gateway, key);
      const sent = await fetch(upload.upload_url ?? "", {
        method: "PUT",
        headers,
        body,
        duplex: "half",
      } as RequestInit);
      expect([sent.status, await sent.json()]).toMatchObject([
        403,
        { error: { code: "signature_invalid", message: expect.stringContaining(message) } },
      ]);
    });

    it("accepts the bytes once", async () => {
      const upload = await announce(gateway, key);
      expect((await put(upload)).status).toBe(200);
      const again = await put(upload);
      expect([again.status, await again.json()]).toMatchObject([
        409,
        { error: { code: "upload_already_received" } },
      ]);
    });

    it("accepts one of two concurrent transfers", async () => {
      const upload = await announce(gateway, key);
      const both = await Promise.all([put(upload), put(upload)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect((await verify(gateway, key, upload.id)).upload.status).toBe("verified");
    });

    it("answers a browser's preflight from any origin", async () => {
      const { upload_url } = await announce(gateway, key);
      const headers = { origin: "http://localhost:3000", "access-control-request-method": "PUT" };
      const preflight = await fetch(upload_url ?? "", { method: "OPTIONS", headers });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
      expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
      expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type");
    });
  });

  describe("verify", () => {
    it("fails before the bytes are sent", async () => {
      const upload = await announce(gateway, key);
      expect(await verify(gateway, key, upload.id)).toMatchObject({
        status: 409,
        body: { error: { code: "upload_not_received" } },
      });
      expect((await read(upload.id)).body.status).toBe("pending");
    });

    it.each([
      ["content_type_mismatch", Buffer.from("<svg onload=alert(1)>"), {}, undefined],
      ["content_type_mismatch", png, { content_type: "image/jpeg" }, undefined],
      ["checksum_mismatch", png, { sha256: "0".repeat(64) }, undefined],
      ["checksum_mismatch", png, {}, { sha256: "0".repeat(64) }],
    ])("rejects permanently: %s", async (code, bytes, fields, input) => {
      const upload = await announce(gateway, key, bytes, fields);
      await put(upload, bytes);
      const rejected = await verify(gateway, key, upload.id, input);
      expect(rejected).toMatchObject({
        status: 200,
        upload: { status: "rejected", error: { code }, download_url: null },
      });
      expect((await verify(gateway, key, upload.id)).upload.status).toBe("rejected");
      expect(await storedKeys(upload.id)).toEqual([null]);
    });

    it("notices bytes that changed in the store", async () => {
      const upload = await announce(gateway, key);
      await put(upload);
      const [storageKey] = await storedKeys(upload.id);
      await gateway.context.store.put(storageKey ?? "", png.subarray(0, -1), { contentType: "image/png" });
      expect((await verify(gateway, key, upload.id)).upload).toMatchObject({
        error: { code: "size_mismatch" },
      });
      expect(await gateway.context.store.head(storageKey ?? "")).toBeNull();
    });
  });

  describe("a download", () => {
    it("is a private attachment, in full, as a range or as headers only", async () => {
      const { id } = await announce(gateway, key, png, { filename: "Grüße.png" });
      const pending = (await read(id)).body.upload_url;
      await put({ ...(await announce(gateway, key)), upload_url: String(pending) });
      const { upload } = await verify(gateway, key, id);
      const url = upload.download_url ?? "";
      const whole = await fetch(url, { headers: { origin: "http://localhost:3000" } });
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        "content-type": "image/png",
        "content-length": String(png.length),
        "content-disposition": `attachment; filename="Gr__e.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.png`,
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
        "content-security-policy": "default-src 'none'; sandbox",
        "accept-ranges": "bytes",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
      });
      const part = await fetch(url, { headers: { range: "bytes=1-3" } });
      expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
        206,
        `bytes 1-3/${png.length}`,
        "PNG",
      ]);
      const beyond = await fetch(url, { headers: { range: `bytes=${png.length}-` } });
      expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${png.length}`]);
      const head = await fetch(url, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(png.length)]);
    });

    it("is refused when its URL was changed or its file was removed", async () => {
      const upload = await verifiedUpload(gateway, key);
      const url = upload.download_url ?? "";
      const changed = await fetch(url.replace("/uploads/", "/outputs/"));
      expect([changed.status, await changed.json()]).toMatchObject([
        403,
        { error: { code: "signature_invalid" } },
      ]);
      await call(gateway, key, "DELETE", `/uploads/${upload.id}`);
      const gone = await fetch(url);
      expect([gone.status, await gone.json()]).toMatchObject([410, { error: { code: "payload_purged" } }]);
    });
  });

  it("are deleted once, with their bytes and an audit row", async () => {
    const upload = await verifiedUpload(gateway, key);
    const [storageKey] = await storedKeys(upload.id);
    const deleted = await call(gateway, key, "DELETE", `/uploads/${upload.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { id: upload.id, object: "upload", deleted: true }]);
    expect(await gateway.context.store.head(storageKey ?? "")).toBeNull();
    for (const method of ["DELETE", "GET"])
      expect(await call(gateway, key, method, `/uploads/${upload.id}`)).toMatchObject({
        status: 404,
        body: { error: { code: "upload_not_found" } },
      });
    const audit = await call(gateway, account.session, "GET", "/audit_logs");
    expect(audit.body.data).toContainEqual(
      expect.objectContaining({ action: "upload.deleted", target_id: upload.id }),
    );
  });

  it("are not visible to other accounts", async () => {
    const upload = await verifiedUpload(gateway, key);
    const other = await gateway.createAccount();
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/verify"],
    ])
      expect(await call(gateway, other.key, method ?? "", `/uploads/${upload.id}${path}`)).toMatchObject({
        status: 404,
      });
    expect((await call(gateway, other.key, "GET", "/uploads")).body.data).toEqual([]);
  });

  it("need their scope", async () => {
    const narrow = await gateway.createKey(account.accountId, { scopes: ["inference"] });
    const answer = await call(gateway, narrow, "POST", "/uploads", {
      content_type: "image/png",
      size_bytes: 1,
    });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "insufficient_scope" } } });
  });

  it("are created once per Idempotency-Key", async () => {
    const body = { content_type: "image/png", size_bytes: 7 };
    const send = () => call(gateway, key, "POST", "/uploads", body, { "idempotency-key": "once" });
    const [first, second] = [await send(), await send()];
    expect(second.body.id).toBe(first.body.id);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  it("are listed newest first, by status, kind and hash", async () => {
    const { key: fresh } = await gateway.createAccount();
    const image = await verifiedUpload(gateway, fresh);
    const audio = await announce(gateway, fresh, png, { content_type: "audio/wav" });
    const list = async (query: string) =>
      (await call(gateway, fresh, "GET", `/uploads${query}`)).body.data as { id: string }[];
    expect((await list("")).map(({ id }) => id)).toEqual([audio.id, image.id]);
    expect((await list("?status=verified&kind=image")).map(({ id }) => id)).toEqual([image.id]);
    expect((await list("?kind=audio")).map(({ id }) => id)).toEqual([audio.id]);
    expect((await list(`?sha256=${sha256}`)).map(({ id }) => id)).toEqual([image.id]);
    expect(await list(`?sha256=${"0".repeat(64)}`)).toEqual([]);
    expect((await list(`?after=${audio.id}`)).map(({ id }) => id)).toEqual([image.id]);
  });

  async function storedKeys(id: string): Promise<(string | null)[]> {
    const { rows } = await gateway.context.database.pool.query(
      "select storage_key from uploads where id = $1",
      [id],
    );
    return rows.map(({ storage_key }) => storage_key);
  }
});
