import type { Upload } from "#contract/upload.ts";
import { failureOf, type GatewayFailure, type GatewayResult, localFailure } from "../gateway/result.ts";
import { contentTypeOf, type FileLimits, fileProblem } from "./file-type.ts";
import { callRoute } from "./gateway.ts";
import { rememberId } from "./remembered-ids.ts";

export interface UploadProgress {
  phase: "creating" | "sending" | "verifying";
  sentBytes: number;
  totalBytes: number;
}

export interface UploadOptions {
  onProgress?: (progress: UploadProgress) => void;
  /** Aborts the transfer; an upload that was already created is deleted. */
  signal?: AbortSignal;
  limits?: FileLimits;
}

/** No checksum above this size: it would need the whole file in memory. */
const checksumMaxBytes = 32 * 1024 * 1024;

/** Uploads of files whose connection broke: a retry continues the same one. */
const unfinished = new WeakMap<File, Upload>();

/**
 * Checks a file, creates its upload, sends the bytes straight to the signed URL and has them verified.
 * The result is a verified upload, or a failure that says what to do (`canceled` when `signal` ended it).
 * An expired URL is replaced once. After a broken connection the upload's state decides, once: verify or send again.
 */
export async function uploadFile(file: File, options: UploadOptions = {}): Promise<GatewayResult<Upload>> {
  const { onProgress, signal, limits } = options;
  const problem = fileProblem(file, limits);
  if (problem) return { ok: false, error: localFailure(problem.code, problem.message) };
  const report = (phase: UploadProgress["phase"], sentBytes: number) =>
    onProgress?.({ phase, sentBytes, totalBytes: file.size });
  const withSignal = signal ? { signal } : {};
  let current: Upload | null = unfinished.get(file) ?? null;
  unfinished.delete(file);
  try {
    report("creating", 0);
    const upload = current ? await stateOf(current, file, signal) : await createUpload(file, signal);
    if (!upload.ok) return keptFor(file, current, upload.error);
    current = upload.data;
    let mayRenew = true;
    let mayResend = true;
    while (current.status === "pending") {
      report("sending", 0);
      const refusal = await putBytes(current, file, (sent) => report("sending", sent), signal);
      if (!refusal || refusal.code === "upload_already_received") break;
      let next: GatewayResult<Upload>;
      if (refusal.code === "signature_expired" && mayRenew) {
        mayRenew = false;
        void callRoute("DELETE /uploads/{id}", { params: { id: current.id } });
        next = await createUpload(file, signal);
      } else if (refusal.status === 0 && mayResend) {
        mayResend = false;
        next = await stateOf(current, file, signal);
      } else return keptFor(file, current, refusal);
      if (!next.ok) return keptFor(file, current, next.error);
      current = next.data;
    }
    report("verifying", file.size);
    const verified = await callRoute("POST /uploads/{id}/verify", {
      params: { id: current.id },
      body: {},
      ...withSignal,
    });
    if (!verified.ok) return keptFor(file, current, verified.error);
    if (verified.data.status !== "verified") {
      const { error } = verified.data;
      return {
        ok: false,
        error: localFailure(error?.code ?? "upload_not_usable", error?.message ?? "The file was rejected."),
      };
    }
    return verified;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    if (current) void callRoute("DELETE /uploads/{id}", { params: { id: current.id } });
    return { ok: false, error: localFailure("canceled", "The upload was canceled.") };
  }
}

async function createUpload(file: File, signal?: AbortSignal): Promise<GatewayResult<Upload>> {
  const sha256 = await checksumOf(file);
  const creation = await callRoute("POST /uploads", {
    body: {
      content_type: contentTypeOf(file),
      size_bytes: file.size,
      ...(file.name && { filename: file.name.slice(0, 255) }),
      ...(sha256 && { sha256 }),
    },
    ...(signal && { signal }),
  });
  if (creation.ok) rememberId("upload", creation.data.id);
  return creation;
}

/** The upload as the gateway has it now, with a fresh URL; a new one when it is gone. */
async function stateOf(upload: Upload, file: File, signal?: AbortSignal): Promise<GatewayResult<Upload>> {
  const state = await callRoute("GET /uploads/{id}", {
    params: { id: upload.id },
    ...(signal ? { signal } : {}),
  });
  const isGone = state.ok ? state.data.status === "expired" : state.error.status === 404;
  return isGone ? createUpload(file, signal) : state;
}

/** The failure; after a connection or gateway error, a retry continues this upload. */
function keptFor(file: File, upload: Upload | null, error: GatewayFailure): GatewayResult<Upload> {
  if (upload && (error.status === 0 || error.status === 429 || error.status >= 500))
    unfinished.set(file, upload);
  return { ok: false, error };
}

/** Sends the bytes with XMLHttpRequest: fetch cannot report progress of a request. Null when they were accepted. */
function putBytes(
  upload: Upload,
  file: File,
  onSent: (sentBytes: number) => void,
  signal?: AbortSignal,
): Promise<GatewayFailure | null> {
  const { upload_url: url } = upload;
  if (!url)
    return Promise.resolve(
      localFailure("upload_not_usable", "The gateway returned no upload URL. Try again."),
    );
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (failure: GatewayFailure | null) => {
      signal?.removeEventListener("abort", abort);
      resolve(failure);
    };
    request.open(upload.upload_method, url);
    // The browser sets the length itself and forbids setting it.
    for (const [name, value] of Object.entries(upload.upload_headers))
      if (name.toLowerCase() !== "content-length") request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => settle(request.status < 300 ? null : failureFrom(request));
    request.onerror = () =>
      settle(localFailure("offline", "The file could not be uploaded. Check your connection and try again."));
    request.onabort = () => {
      signal?.removeEventListener("abort", abort);
      reject(new DOMException("The upload was canceled.", "AbortError"));
    };
    if (signal?.aborted) return reject(new DOMException("The upload was canceled.", "AbortError"));
    signal?.addEventListener("abort", abort);
    request.send(file);
  });
}

function failureFrom(request: XMLHttpRequest): GatewayFailure {
  const headers = new Headers();
  for (const name of ["x-request-id", "retry-after"]) {
    const value = request.getResponseHeader(name);
    if (value) headers.set(name, value);
  }
  return failureOf(request.status, parsed(request.responseText), headers);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** SHA-256 in hex, so that verify detects a damaged transfer; null if the browser cannot compute it (plain http). */
async function checksumOf(file: File): Promise<string | null> {
  if (file.size > checksumMaxBytes || !globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
