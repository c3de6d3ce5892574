import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Certificate } from "#gateway/testing/certificates.ts";
import { startMultipart } from "./s3-multipart.ts";
import { signatureProblem } from "./s3-signature.ts";

interface S3ServerOptions {
  /** If set, the server uses https. */
  certificate?: Certificate;
  /** If set, it accepts only requests signed with these keys, by an independent computation. */
  keys?: { id: string; secret: string };
  /** If set, it is the only bucket. */
  bucket?: string;
}

/** An S3 error with this status, a broken connection, or no answer. */
type PutFailure = { status: number; code: string; location?: string; html?: boolean } | "reset" | "hang";

/** The part of S3's REST protocol that the store uses, path-style, in memory. The gateway finds a key for it. */
export async function startS3Server({ certificate, keys, bucket }: S3ServerOptions = {}) {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" });
  const objects = new Map<string, { bytes: Buffer; type: string; sha256: string | undefined }>();
  const unsigned: string[] = [];
  /** The number of objects in each removal request, and the keys that cannot be removed. */
  const deletions: number[] = [];
  const locked = new Set<string>();
  /** How the next PUTs fail. */
  const putFailures: PutFailure[] = [];
  /** Keys of PUTs, recorded when they begin. */
  const puts: string[] = [];
  const multipart = startMultipart(objects);
  /** `full`: the error for every PUT while the store is full. */
  const state: { full: { status: number; code: string } | null } = { full: null };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://s3");
    const key = decodeURIComponent(url.pathname);
    if (!request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 "))
      unsigned.push(`${request.method} ${key}`);
    const refuse = (status: number, code: string, location?: string, html?: boolean) => {
      request.resume();
      const body = html
        ? "<!doctype html><html><br>Not here"
        : request.method === "HEAD"
          ? ""
          : `<Error><Code>${code}</Code></Error>`;
      const headers = { "content-type": "application/xml", ...(location && { location }) };
      return response.writeHead(status, headers).end(body);
    };
    const problem = keys && signatureProblem(request, keys);
    if (problem) return refuse(403, problem);
    if (bucket && !key.startsWith(`/${bucket}/`)) return refuse(404, "NoSuchBucket");
    if (request.method === "PUT") {
      puts.push(key);
      const failure: PutFailure | undefined = state.full ?? putFailures.shift();
      if (failure === "reset")
        return certificate ? request.socket.destroy() : request.socket.resetAndDestroy();
      if (failure === "hang") return request.resume();
      if (failure) return refuse(failure.status, failure.code, failure.location, failure.html);
      const type = request.headers["content-type"] ?? "";
      const bytes = await buffer(request).catch(() => null);
      // The sender disconnected, so nothing is stored.
      if (bytes === null) return response.destroy();
      if (bytes.length !== Number(request.headers["content-length"])) return response.writeHead(400).end();
      const partOf = url.searchParams.get("uploadId");
      if (partOf !== null) {
        const etag = multipart.put(partOf, Number(url.searchParams.get("partNumber")), bytes);
        return etag ? response.writeHead(200, { etag }).end() : refuse(404, "NoSuchUpload");
      }
      objects.set(key, { bytes, type, sha256: request.headers["x-amz-meta-sha256"]?.toString() });
      return response.writeHead(200, { etag: '"1"' }).end();
    }
    if (multipart.answers(request, url)) {
      const body = await buffer(request);
      const said = multipart.answer(request, key, url, body.toString());
      return "code" in said
        ? refuse(said.status, said.code)
        : response.writeHead(said.status, { "content-type": "application/xml" }).end(said.body);
    }
    if (request.method === "DELETE") {
      if (locked.has(key)) return refuse(403, "AccessDenied");
      objects.delete(key);
      return response.writeHead(204).end();
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
  };
  const server = certificate ? createSecureServer(certificate, answer) : createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    endpoint: `${certificate ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    objects,
    puts,
    unsigned,
    deletions,
    locked,
    putFailures,
    /** Unfinished objects. */
    unfinished: multipart.unfinished,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}
