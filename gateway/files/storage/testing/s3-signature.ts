import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Why a request is not signed with these keys, as an S3 error; null if it is. An independent implementation
 * of signature version 4.
 */
export function signatureProblem(
  request: IncomingMessage,
  keys: { id: string; secret: string },
): "InvalidAccessKeyId" | "SignatureDoesNotMatch" | null {
  const authorization = request.headers.authorization ?? "";
  const part = (name: string) => new RegExp(`${name}=([^,]+)`).exec(authorization)?.[1] ?? "";
  const [id, day, region, service] = part("Credential").split("/");
  if (id !== keys.id) return "InvalidAccessKeyId";
  const url = new URL(request.url ?? "/", "http://s3");
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join("&");
  const names = part("SignedHeaders").split(";");
  const canonical = [
    request.method,
    url.pathname,
    query,
    ...names.map((name) => `${name}:${request.headers[name]}`),
    "",
    names.join(";"),
    request.headers["x-amz-content-sha256"],
  ].join("\n");
  const toSign = [
    "AWS4-HMAC-SHA256",
    request.headers["x-amz-date"],
    `${day}/${region}/${service}/aws4_request`,
    createHash("sha256").update(canonical).digest("hex"),
  ].join("\n");
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const signingKey = [day, region, service, "aws4_request"].reduce<string | Buffer>(
    (key, text) => hmac(key, text ?? ""),
    `AWS4${keys.secret}`,
  );
  return hmac(signingKey, toSign).toString("hex") === part("Signature") ? null : "SignatureDoesNotMatch";
}
