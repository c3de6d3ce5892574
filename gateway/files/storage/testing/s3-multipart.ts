import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

type Objects = Map<string, { bytes: Buffer; type: string; sha256: string | undefined }>;
type Said = { status: number; body: string } | { status: number; code: string };

interface Unfinished {
  key: string;
  type: string;
  parts: Map<number, { bytes: Buffer; etag: string }>;
}

/** S3's own minimum for every part except the last. */
const leastPartBytes = 5 * 1024 * 1024;

/** The multipart uploads of the test server. */
export function startMultipart(objects: Objects) {
  const unfinished = new Map<string, Unfinished>();

  function complete(id: string, body: string): Said {
    const upload = unfinished.get(id);
    if (!upload) return { status: 404, code: "NoSuchUpload" };
    const named = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? "").replaceAll("&quot;", '"'),
    }));
    const parts = named.map(({ number, etag }) => {
      const part = upload.parts.get(number);
      return part?.etag === etag ? part.bytes : null;
    });
    if (parts.includes(null)) return { status: 400, code: "InvalidPart" };
    const bytes = parts as Buffer[];
    if (bytes.slice(0, -1).some((part) => part.length < leastPartBytes))
      return { status: 400, code: "EntityTooSmall" };
    objects.set(upload.key, { bytes: Buffer.concat(bytes), type: upload.type, sha256: undefined });
    unfinished.delete(id);
    return { status: 200, body: "<CompleteMultipartUploadResult/>" };
  }

  function list(bucketPath: string, prefix: string): string {
    const bucket = bucketPath.replace(/\/$/, "");
    return [...unfinished]
      .filter(([, { key }]) => key.startsWith(`${bucket}/${prefix}`))
      .map(
        ([id, { key }]) =>
          `<Upload><Key>${key.slice(bucket.length + 1)}</Key><UploadId>${id}</UploadId></Upload>`,
      )
      .join("");
  }

  return {
    unfinished,
    /** Null if there is no such upload. */
    put(id: string, number: number, bytes: Buffer): string | null {
      const upload = unfinished.get(id);
      if (!upload) return null;
      const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
      upload.parts.set(number, { bytes, etag });
      return etag;
    },
    answers: ({ method }: IncomingMessage, { searchParams }: URL): boolean =>
      method !== "PUT" && (searchParams.has("uploads") || searchParams.has("uploadId")),
    answer({ method, headers }: IncomingMessage, key: string, { searchParams }: URL, body: string): Said {
      const id = searchParams.get("uploadId");
      if (method === "GET")
        return {
          status: 200,
          body: `<ListMultipartUploadsResult>${list(key, searchParams.get("prefix") ?? "")}</ListMultipartUploadsResult>`,
        };
      if (method === "POST" && id !== null) return complete(id, body);
      if (method === "DELETE" && id !== null)
        return unfinished.delete(id) ? { status: 204, body: "" } : { status: 404, code: "NoSuchUpload" };
      const made = randomBytes(8).toString("hex");
      unfinished.set(made, { key, type: headers["content-type"] ?? "", parts: new Map() });
      return {
        status: 200,
        body: `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`,
      };
    },
  };
}
