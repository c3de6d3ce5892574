import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { contentTypeOf, fileProblem } from "./file-type.ts";
import { type UploadProgress, uploadFile } from "./upload-file.ts";

const upload = {
  id: "upl_1",
  status: "pending",
  upload_url: "http://gateway/files/upl_1",
  upload_method: "PUT",
  upload_headers: { "content-type": "image/png", "content-length": "3" },
};

let calls: { method: string; path: string; body: unknown }[] = [];
interface Put {
  status: number;
  hang?: boolean;
  lost?: boolean;
  body?: string;
}
/** The result of each PUT, in order. The last one repeats. */
let puts: Put[] = [];
/** Status of the upload when the client reads it. Null: the connection is still broken. */
let status: string | null = "pending";
let sentHeaders: Record<string, string> = {};

class FakeRequest {
  upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null };
  status = 0;
  responseText = "";
  onload: (() => void) | null = null;
  onabort: (() => void) | null = null;
  onerror: (() => void) | null = null;
  open() {
    sentHeaders = {};
  }
  setRequestHeader(name: string, value: string) {
    sentHeaders[name] = value;
  }
  getResponseHeader() {
    return null;
  }
  abort() {
    this.onabort?.();
  }
  send(file: File) {
    const put = puts.length > 1 ? puts.shift() : puts[0];
    if (!put || put.hang) return;
    queueMicrotask(() => {
      if (put.lost) return this.onerror?.();
      this.upload.onprogress?.({ loaded: file.size });
      this.status = put.status;
      this.responseText = put.body ?? "";
      this.onload?.();
    });
  }
}

beforeEach(() => {
  calls = [];
  puts = [{ status: 200 }];
  status = "pending";
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const path = url.replace("/api/gateway", "");
    calls.push({ method: String(init.method), path, body: init.body ? JSON.parse(String(init.body)) : null });
    if (path.endsWith("/verify"))
      return Response.json({ ...upload, status: "verified", reference: "upload://upl_1" });
    if (init.method !== "POST") {
      if (status === null) throw new TypeError("Failed to fetch");
      return Response.json({ ...upload, status });
    }
    const made = calls.filter((call) => call.path === "/uploads").length;
    return Response.json({ ...upload, id: `upl_${made}` }, { status: 201 });
  });
});

afterEach(() => vi.unstubAllGlobals());

const image = new File(["abc"], "a.png", { type: "image/png" });

it("creates, sends and verifies an upload, and reports its progress", async () => {
  const phases: UploadProgress[] = [];
  const result = await uploadFile(image, { onProgress: (progress) => phases.push(progress) });
  expect(result).toMatchObject({ ok: true, data: { status: "verified" } });
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /uploads",
    "POST /uploads/upl_1/verify",
  ]);
  expect(calls[0]?.body).toMatchObject({ content_type: "image/png", size_bytes: 3, filename: "a.png" });
  expect(phases.map(({ phase, sentBytes }) => `${phase} ${sentBytes}`)).toEqual([
    "creating 0",
    "sending 0",
    "sending 3",
    "verifying 3",
  ]);
  expect(sentHeaders).toEqual({ "content-type": "image/png" });
});

it("refuses a file before it creates an upload", async () => {
  const svg = new File(["<svg/>"], "a.svg", { type: "image/svg+xml" });
  expect(await uploadFile(svg)).toMatchObject({ ok: false, error: { code: "unsupported_content_type" } });
  expect(await uploadFile(image, { limits: { kinds: ["audio"] } })).toMatchObject({ ok: false });
  expect(await uploadFile(image, { limits: { maxBytes: 2 } })).toMatchObject({
    error: { code: "upload_too_large" },
  });
  expect(calls).toEqual([]);
});

it("reports why the store refused the bytes", async () => {
  puts = [refused(400, "invalid_parameter")];
  expect(await uploadFile(image)).toMatchObject({
    ok: false,
    error: { status: 400, code: "invalid_parameter" },
  });
});

it("replaces the signed URL once when it has expired, and continues", async () => {
  puts = [refused(403, "signature_expired"), { status: 200 }];
  expect(await uploadFile(image)).toMatchObject({ ok: true, data: { status: "verified" } });
  expect(paths()).toEqual([
    "POST /uploads",
    "DELETE /uploads/upl_1",
    "POST /uploads",
    "POST /uploads/upl_2/verify",
  ]);

  puts = [refused(403, "signature_expired")];
  expect(await uploadFile(image)).toMatchObject({ ok: false, error: { code: "signature_expired" } });
});

it("verifies bytes that arrived before the connection broke", async () => {
  puts = [{ status: 0, lost: true }];
  status = "uploaded";
  expect(await uploadFile(image)).toMatchObject({ ok: true, data: { status: "verified" } });
  expect(paths()).toEqual(["POST /uploads", "GET /uploads/upl_1", "POST /uploads/upl_1/verify"]);
});

it("sends bytes that did not arrive again, to the same upload", async () => {
  puts = [{ status: 0, lost: true }, { status: 200 }];
  expect(await uploadFile(image)).toMatchObject({ ok: true });
  expect(paths()).toEqual(["POST /uploads", "GET /uploads/upl_1", "POST /uploads/upl_1/verify"]);
});

it("treats the upload as verified when the gateway had already verified it", async () => {
  puts = [{ status: 0, lost: true }, refused(409, "upload_already_received")];
  expect(await uploadFile(image)).toMatchObject({ ok: true, data: { status: "verified" } });
});

it("continues the same upload when it is retried after a longer outage", async () => {
  const file = new File(["abc"], "b.png", { type: "image/png" });
  puts = [{ status: 0, lost: true }];
  status = null;
  expect(await uploadFile(file)).toMatchObject({ ok: false, error: { code: "offline" } });
  calls = [];
  status = "uploaded";
  expect(await uploadFile(file)).toMatchObject({ ok: true, data: { status: "verified" } });
  expect(paths()).toEqual(["GET /uploads/upl_1", "POST /uploads/upl_1/verify"]);
});

it("starts a new upload when the interrupted one has expired", async () => {
  const file = new File(["abc"], "c.png", { type: "image/png" });
  puts = [{ status: 0, lost: true }, { status: 200 }];
  status = "expired";
  expect(await uploadFile(file)).toMatchObject({ ok: true });
  expect(paths()).toEqual([
    "POST /uploads",
    "GET /uploads/upl_1",
    "POST /uploads",
    "POST /uploads/upl_2/verify",
  ]);
});

function refused(code: number, name: string): Put {
  return { status: code, body: JSON.stringify({ error: { code: name, message: name } }) };
}

function paths(): string[] {
  return calls.map(({ method, path }) => `${method} ${path}`);
}

it("deletes the upload that it created when it is canceled", async () => {
  puts = [{ status: 200, hang: true }];
  const abort = new AbortController();
  const result = uploadFile(image, {
    signal: abort.signal,
    onProgress: ({ phase }) => phase === "sending" && setTimeout(() => abort.abort()),
  });
  expect(await result).toMatchObject({ ok: false, error: { code: "canceled" } });
  expect(calls.at(-1)).toMatchObject({ method: "DELETE", path: "/uploads/upl_1" });
});

it.each([
  ["a.wav", "audio/x-wav", "audio/wav"],
  ["a.m4a", "", "audio/mp4"],
  ["a.webm", "audio/webm;codecs=opus", "audio/webm"],
  ["a.mov", "video/quicktime", "video/quicktime"],
  ["a.txt", "text/plain", "text/plain"],
])("declares %s (%s) as %s", (name, type, expected) => {
  expect(contentTypeOf({ name, type })).toBe(expected);
});

it("names a way out when a file does not fit", () => {
  expect(fileProblem({ name: "a.mp4", type: "video/mp4", size: 1 }, { kinds: ["image"] })?.message).toBe(
    "Choose an image: “a.mp4” is a video.",
  );
  expect(fileProblem({ name: "a.png", type: "image/png", size: 0 })).toEqual({
    code: "empty_file",
    message: "Choose another file: “a.png” is empty.",
  });
});
