import { failureOf, type GatewayFailure, localFailure } from "../gateway/result.ts";

interface Sending {
  method: "PUT" | "PATCH";
  url: string;
  headers: Record<string, string>;
  body: Blob;
  onSent: (sentBytes: number) => void;
  signal?: AbortSignal | undefined;
  /** A connection without progress for this long counts as broken. If not set, the browser decides. */
  stalledAfterMs?: number;
}

/** How a request ended: accepted (`header` reads a response header), or a failure. */
export type Sent =
  | { ok: true; header: (name: string) => string | null }
  | { ok: false; failure: GatewayFailure };

/**
 * Sends bytes with XMLHttpRequest, because fetch cannot report upload progress. Rejects when `signal` aborts
 * it.
 */
export function sendBytes({
  method,
  url,
  headers,
  body,
  onSent,
  signal,
  stalledAfterMs,
}: Sending): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const offline = "The file could not be uploaded. Check your connection and try again.";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abort = () => request.abort();
    const settle = (sent: Sent) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve(sent);
    };
    const fail = () => settle({ ok: false, failure: localFailure("offline", offline) });
    const giveUp = () => {
      fail();
      request.abort();
    };
    const moved = () => {
      if (stalledAfterMs === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(giveUp, stalledAfterMs);
    };
    request.open(method, url);
    // The browser sets this header and does not allow scripts to set it.
    for (const [name, value] of Object.entries(headers))
      if (name.toLowerCase() !== "content-length") request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      moved();
      onSent(event.loaded);
    };
    request.onload = () =>
      settle(
        request.status < 300
          ? { ok: true, header: (name) => request.getResponseHeader(name) }
          : { ok: false, failure: failureFrom(request) },
      );
    request.onerror = fail;
    request.onabort = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      reject(new DOMException("The upload was canceled.", "AbortError"));
    };
    if (signal?.aborted) return reject(new DOMException("The upload was canceled.", "AbortError"));
    signal?.addEventListener("abort", abort);
    moved();
    request.send(body);
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
