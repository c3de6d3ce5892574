import { once } from "node:events";
import { Worker } from "node:worker_threads";
import {
  landscapeImage,
  landscapeVideo,
  smallImage,
  speechAudio,
} from "#gateway/models/catalog/example-media.ts";

/** The name in the test certificate. */
export const testIssuer = "Example Models";

export interface SignedFile {
  contentType: string;
  bytes: Buffer;
}

/** A PNG, JPEG, MP4 and WAV. */
export const unsignedMedia: SignedFile[] = [smallImage, landscapeImage, landscapeVideo, speechAudio].map(
  (source) => {
    const [, contentType = "", base64 = ""] = /^data:([^;]+);base64,(.*)$/.exec(source) ?? [];
    return { contentType, bytes: Buffer.from(base64, "base64") };
  },
);

/**
 * The same files, each with a C2PA manifest signed by an untrusted authority. Made in a thread that ends
 * afterwards, because the library sometimes fails when its unused objects are collected, which would end this
 * process.
 */
export async function signedMedia(): Promise<SignedFile[]> {
  const thread = new Worker(new URL("./signed-media-thread.ts", import.meta.url), {
    workerData: unsignedMedia,
  });
  const [signed] = (await once(thread, "message")) as [{ contentType: string; bytes: Uint8Array }[]];
  await thread.terminate();
  return signed.map(({ contentType, bytes }) => ({ contentType, bytes: Buffer.from(bytes) }));
}
