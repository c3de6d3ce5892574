import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the upstream saw it. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** Resolves when the caller's connection closes. */
  gone: Promise<unknown>;
  /** Resolves when the whole answer was sent. */
  answered: Promise<unknown>;
  json(): Record<string, unknown>;
  /** The parts of a multipart body: text unchanged, files as `<type> <size>`. */
  form(): Promise<[string, string][]>;
}

/** A fault to simulate for one request. */
export type Trouble =
  | { status: number; headers?: Record<string, string>; json?: unknown; text?: string }
  /** The connection is reset after the request was read. */
  | "reset"
  /** No answer at all. */
  | "silence"
  /** 200 with half a JSON document. */
  | "broken-json"
  /** The body ends before its announced length. */
  | "short-body";

type Answer = (seen: Seen, response: ServerResponse, origin: string) => void | Promise<void>;

export interface UpstreamServer {
  origin: string;
  seen: Seen[];
  /** The request with that index; throws when there were fewer. */
  at(index: number): Seen;
  /** Requests that create something. */
  created(): Seen[];
  /** Queues a fault: the next request whose path matches gets it instead of an answer. */
  trouble(path: RegExp, what: Trouble, times?: number): void;
  /** Resolves once a request whose path matches has arrived. */
  next(path: RegExp): Promise<Seen>;
  close(): Promise<void>;
}

/** A real HTTP server on a free port that simulates one upstream. */
export async function startUpstream(answer: Answer): Promise<UpstreamServer> {
  const seen: Seen[] = [];
  const troubles: { path: RegExp; what: Trouble }[] = [];
  const waiting: { path: RegExp; found: (request: Seen) => void }[] = [];
  let origin = "";
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = seenOf(
      request,
      Buffer.concat(chunks),
      once(response, "finish").catch(() => undefined),
    );
    seen.push(one);
    for (const waiter of waiting) if (waiter.path.test(one.path)) waiter.found(one);
    const index = troubles.findIndex(({ path }) => path.test(one.path));
    const [trouble] = index < 0 ? [] : troubles.splice(index, 1);
    if (trouble) makeTrouble(trouble.what, response);
    else await answer(one, response, origin);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    seen,
    at(index) {
      const found = seen[index];
      if (!found) throw new Error(`The upstream saw ${seen.length} requests`);
      return found;
    },
    created: () => seen.filter(({ method, path }) => method === "POST" && !path.endsWith("/cancel")),
    trouble(path, what, times = 1) {
      for (let left = times; left > 0; left -= 1) troubles.push({ path, what });
    },
    next(path) {
      const past = seen.find((request) => path.test(request.path));
      return past ? Promise.resolve(past) : new Promise((found) => waiting.push({ path, found }));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

export function sendFile(response: ServerResponse, contentType: string, bytes: Buffer): void {
  response.writeHead(200, { "content-type": contentType, "content-length": bytes.length });
  response.end(bytes);
}

/** The bytes of a data URI. */
export function bytesOf(dataUri: string): Buffer {
  return Buffer.from(dataUri.slice(dataUri.indexOf(",") + 1), "base64");
}

const closings = new WeakMap<object, Promise<unknown>>();

function closingOf(request: IncomingMessage): Promise<unknown> {
  const closing = closings.get(request.socket) ?? once(request.socket, "close").catch(() => undefined);
  closings.set(request.socket, closing);
  return closing;
}

function seenOf(request: IncomingMessage, body: Buffer, answered: Promise<unknown>): Seen {
  const { method = "", url = "", headers } = request;
  return {
    method,
    path: url,
    headers,
    body,
    gone: closingOf(request),
    answered,
    json: () => JSON.parse(body.toString("utf8")) as Record<string, unknown>,
    async form() {
      const type = headers["content-type"] ?? "";
      const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
      return [...form].map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : `${value.type} ${value.size}`,
      ]);
    },
  };
}

function makeTrouble(what: Trouble, response: ServerResponse): void {
  if (what === "silence") return;
  if (what === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (what === "broken-json") {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"id":"job_1","status":"que');
    return;
  }
  if (what === "short-body") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "4000" });
    response.write('{"id":"job_1"');
    response.socket?.end();
    return;
  }
  response.writeHead(what.status, { "content-type": "application/json", ...what.headers });
  response.end(what.text ?? JSON.stringify(what.json ?? {}));
}
