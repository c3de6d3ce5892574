import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** As much of S3's REST protocol as the store uses, path-style, in memory. */
export async function startS3Server() {
  const objects = new Map<string, { bytes: Buffer; type: string }>();
  const unsigned: string[] = [];
  /** How many objects each request for removal named, and the keys that cannot be removed. */
  const deletions: number[] = [];
  const locked = new Set<string>();
  /** How the next PUTs fail: with an S3 error of this status, or by a broken connection. */
  const putFailures: ({ status: number; code: string } | "reset")[] = [];
  /** How every PUT is refused while the store is full. */
  const state: { full: { status: number; code: string } | null } = { full: null };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://s3");
    const key = decodeURIComponent(url.pathname);
    if (!request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 "))
      unsigned.push(`${request.method} ${key}`);
    if (request.method === "PUT") {
      const failure = state.full ?? putFailures.shift();
      if (failure === "reset") return request.socket.resetAndDestroy();
      if (failure) {
        const { status, code } = failure;
        request.resume();
        const body = `<Error><Code>${code}</Code></Error>`;
        return response.writeHead(status, { "content-type": "application/xml" }).end(body);
      }
      const type = request.headers["content-type"] ?? "";
      const bytes = await buffer(request);
      if (bytes.length !== Number(request.headers["content-length"])) return response.writeHead(400).end();
      objects.set(key, { bytes, type });
      return response.writeHead(200, { etag: '"1"' }).end();
    }
    if (request.method === "POST" && url.searchParams.has("delete")) {
      const body = await buffer(request);
      if (request.headers["content-md5"] !== createHash("md5").update(body).digest("base64"))
        return response.writeHead(400).end("<Error><Code>BadDigest</Code></Error>");
      const names = [...body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, name = ""]) => name);
      deletions.push(names.length);
      const failed = names.filter((name) => locked.has(name));
      for (const name of names) if (!locked.has(name)) objects.delete(`${key.replace(/\/$/, "")}/${name}`);
      const errors = failed.map((name) => `<Error><Key>${name}</Key><Code>AccessDenied</Code></Error>`);
      return response
        .writeHead(200, { "content-type": "application/xml" })
        .end(`<DeleteResult>${errors.join("")}</DeleteResult>`);
    }
    const object = objects.get(key);
    if (!object) {
      const body = request.method === "HEAD" ? "" : "<Error><Code>NoSuchKey</Code></Error>";
      return response.writeHead(404, { "content-type": "application/xml" }).end(body);
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const part = start === undefined ? object.bytes : object.bytes.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? 200 : 206, {
      "content-type": object.type,
      "content-length": part.length,
      ...(start !== undefined && { "content-range": `bytes ${start}-${end}/${object.bytes.length}` }),
    });
    return response.end(request.method === "HEAD" ? undefined : part);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    unsigned,
    deletions,
    locked,
    putFailures,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}
