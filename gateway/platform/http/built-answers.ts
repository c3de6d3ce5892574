import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { setBounded } from "#gateway/platform/core/remembered.ts";

const compressors = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => zip(bytes),
};
const brotli = promisify<Buffer, { params: Record<number, number> }, Buffer>(brotliCompress);
const zip = promisify<Buffer, Buffer>(gzip);
type Encoding = keyof typeof compressors;
/** In order of preference: the first encoding that the client accepts is used. */
const encodings = Object.keys(compressors) as Encoding[];

/** JSON that many callers get: serialised, tagged and compressed once. */
export class BuiltAnswer {
  readonly etag: string;
  private readonly bytes: Buffer;
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  /** Without a given ETag, the answer gets a digest of its text. */
  constructor(text: string, etag?: string) {
    this.bytes = Buffer.from(text);
    this.etag = etag ?? `"${createHash("sha256").update(text).digest("base64url")}"`;
  }

  /** Sends the JSON in an encoding that the client accepts, or answers 304 if the client already has it. */
  async send<Reply extends object>(request: Pick<FastifyRequest, "headers">, to: Reply): Promise<Reply> {
    const reply = to as unknown as FastifyReply;
    const { headers } = request;
    addVary(reply, "Accept-Encoding");
    reply.header("etag", this.etag);
    if (etagMatches(headers["if-none-match"], this.etag)) {
      reply.code(304).send();
      return to;
    }
    const encoding = encodingFor(headers["accept-encoding"]);
    const body = encoding ? await this.compressedAs(encoding) : this.bytes;
    if (encoding) reply.header("content-encoding", encoding);
    reply.type("application/json; charset=utf-8").send(body);
    return to;
  }

  private compressedAs(encoding: Encoding): Promise<Buffer> {
    const known = this.compressed.get(encoding);
    if (known) return known;
    const fresh = compressors[encoding](this.bytes);
    this.compressed.set(encoding, fresh);
    return fresh;
  }
}

/** The most recent answers of a route that has several. */
export class BuiltAnswers {
  private readonly built = new Map<string, BuiltAnswer>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** The cached answer for this key; builds it if there is none. */
  of(key: string, build: () => BuiltAnswer): BuiltAnswer {
    const answer = this.built.get(key) ?? build();
    setBounded(this.built, key, answer, this.most);
    return answer;
  }
}

/** The encoding to use for this `Accept-Encoding` header; null: send the answer uncompressed. */
function encodingFor(header: string | string[] | undefined): Encoding | null {
  const refused = /^q=0(?:\.0*)?$/;
  const accepted = String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()))
    .filter(([, quality = ""]) => !refused.test(quality))
    .map(([name]) => name);
  return encodings.find((encoding) => accepted.includes(encoding)) ?? null;
}

function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader("vary");
  reply.header("vary", before ? `${before}, ${name}` : name);
}

/** Whether an `If-None-Match` header contains this tag. */
function etagMatches(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
