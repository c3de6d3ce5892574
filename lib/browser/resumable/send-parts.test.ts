import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Upload } from "#contract/upload.ts";
import { uploadPartBytes } from "#contract/upload-constants.ts";
import { differenceFrom } from "../upload-file.ts";
import { type PartsProgress, sendParts } from "./send-parts.ts";
import { rememberUnfinished, unfinishedUploads } from "./unfinished.ts";

const bytes = new Uint8Array(2 * uploadPartBytes + 5).map((_, at) => at % 251);
const file = new File([bytes], "clip.mp4", { type: "video/mp4" });

/** A gateway that can break the connection when told to. */
let stored = 0;
let fresh = 0;
let cuts: { after: number; keep: number }[] = [];
let offsets: number[] = [];
let refusal: { status: number; code: string } | null = null;

const view = () =>
  ({
    id: "upl_1",
    status: stored === file.size ? "uploaded" : "pending",
    size_bytes: file.size,
    filename: file.name,
    received_bytes: stored,
    resume_url: `http://gateway/content?fresh=${fresh}`,
  }) as unknown as Upload;

class FakeRequest {
  upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null };
  status = 0;
  responseText = "";
  onload: (() => void) | null = null;
  onabort: (() => void) | null = null;
  onerror: (() => void) | null = null;
  headers: Record<string, string> = {};
  open() {}
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader(name: string) {
    return name === "upload-offset" ? String(stored) : null;
  }
  abort() {
    this.onabort?.();
  }
  send(body: Blob) {
    const offset = Number(this.headers["Upload-Offset"]);
    offsets.push(offset);
    queueMicrotask(() => {
      if (refusal) {
        const { status, code } = refusal;
        refusal = null;
        this.status = status;
        this.responseText = JSON.stringify({ error: { code, message: code } });
        return this.onload?.();
      }
      const [cut] = cuts;
      if (cut && offset + body.size > cut.after) {
        cuts.shift();
        stored = cut.keep;
        return this.onerror?.();
      }
      stored = offset + body.size;
      this.upload.onprogress?.({ loaded: body.size });
      this.status = 204;
      this.onload?.();
    });
  }
}

beforeEach(() => {
  [stored, fresh, cuts, offsets, refusal] = [0, 0, [], [], null];
  localStorage.clear();
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout"],
    shouldAdvanceTime: true,
    advanceTimeDelta: 500,
  });
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  vi.stubGlobal("fetch", async (url: string) => {
    if (!url.endsWith("/parts")) fresh += 1;
    const sha256 = createHash("sha256").update(bytes.subarray(0, stored)).digest("hex");
    const part = { number: 1, offset_bytes: 0, size_bytes: stored, sha256 };
    return Response.json(url.endsWith("/parts") ? { object: "list", data: [part] } : view());
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("sends part by part, and after a break continues from the stored bytes", async () => {
  cuts = [{ after: uploadPartBytes, keep: uploadPartBytes + 100_000 }];
  const reported: PartsProgress[] = [];
  expect(await sendParts(view(), file, { onProgress: (progress) => reported.push(progress) })).toBeNull();
  expect(offsets).toEqual([0, uploadPartBytes, uploadPartBytes + 100_000, 2 * uploadPartBytes]);
  expect(reported.filter(({ isWaiting }) => isWaiting)).toHaveLength(1);
});

it("continues at once when the browser is online again", async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  cuts = [{ after: 0, keep: 0 }];
  const sent = sendParts(view(), file, {
    onProgress: ({ isWaiting }) => isWaiting && setImmediate(() => window.dispatchEvent(new Event("online"))),
  });
  expect(await sent).toBeNull();
});

it("replaces an expired URL, and stops at a failure that waiting cannot fix", async () => {
  refusal = { status: 403, code: "signature_expired" };
  expect(await sendParts(view(), file, { onProgress: () => {} })).toBeNull();
  expect(fresh).toBe(1);
  stored = 0;
  refusal = { status: 404, code: "upload_not_found" };
  expect(await sendParts(view(), file, { onProgress: () => {} })).toMatchObject({ code: "upload_not_found" });
});

it("sends no request below the gateway's minimum size, except the last", async () => {
  stored = uploadPartBytes - 10;
  await sendParts(view(), file, { onProgress: () => {} });
  expect(offsets).toEqual([uploadPartBytes - 10, 2 * uploadPartBytes]);
});

it("recognises the same file by its size and its stored parts", async () => {
  stored = 1_000_000;
  const check = (chosen: File) => differenceFrom(view(), chosen, { onChecked: () => {} });
  expect(await check(new File([bytes], "copy of clip.mp4"))).toBeNull();
  expect(await check(new File([bytes.subarray(1)], "clip.mp4"))).toMatchObject({ code: "another_file" });
  const changed = bytes.slice();
  changed[999_999] = 255;
  expect(await check(new File([changed], "clip.mp4"))).toMatchObject({ code: "another_file" });
});

it("requires the same name and date where the browser cannot hash", async () => {
  vi.stubGlobal("crypto", {});
  const dated = (lastModified: number, name = "clip.mp4") => new File([bytes], name, { lastModified });
  rememberUnfinished("upl_1", dated(7));
  expect(unfinishedUploads()).toEqual([{ id: "upl_1", modifiedMs: 7 }]);
  const check = (chosen: File) => differenceFrom(view(), chosen, { onChecked: () => {} });
  expect(await check(dated(7))).toBeNull();
  expect(await check(dated(8))).toMatchObject({ code: "another_file" });
  expect(await check(dated(7, "other.mp4"))).toMatchObject({ code: "another_file" });
});
