import type { Upload } from "#contract/upload.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { call, type TestGateway } from "#gateway/testing/gateway.ts";

/** A real PNG. */
export const png = Buffer.from(smallImage.slice(smallImage.indexOf(",") + 1), "base64");

/** Announces an upload of `bytes`. */
export async function announce(
  gateway: Pick<TestGateway, "url">,
  key: string,
  bytes: Buffer = png,
  fields: Record<string, unknown> = {},
): Promise<Upload> {
  const body = { content_type: "image/png", size_bytes: bytes.length, ...fields };
  const answer = await call(gateway, key, "POST", "/uploads", body);
  if (answer.status !== 201)
    throw new Error(`create answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as unknown as Upload;
}

/** PUTs bytes to the signed URL like a browser, without credentials. */
export async function put(
  upload: Upload,
  bytes: Buffer = png,
  contentType = upload.content_type,
): Promise<Response> {
  const body = new Uint8Array(bytes);
  return fetch(upload.upload_url ?? "", { method: "PUT", headers: { "content-type": contentType }, body });
}

export async function verify(gateway: Pick<TestGateway, "url">, key: string, id: string, body?: unknown) {
  const answer = await call(gateway, key, "POST", `/uploads/${id}/verify`, body);
  return { ...answer, upload: answer.body as unknown as Upload };
}

/** A verified upload. */
export async function verifiedUpload(
  gateway: Pick<TestGateway, "url">,
  key: string,
  bytes: Buffer = png,
  contentType = "image/png",
): Promise<Upload> {
  const upload = await announce(gateway, key, bytes, { content_type: contentType });
  await put(upload, bytes);
  return (await verify(gateway, key, upload.id)).upload;
}
