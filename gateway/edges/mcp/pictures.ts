import type { ContentBlock } from "@modelcontextprotocol/server";
import type { Context } from "#gateway/context.ts";
import { keyOfOwnUrl } from "#gateway/files/storage/signed-urls.ts";

/** Limits, because pictures fill an agent's context. */
const maxPictures = 4;
const maxBytes = 3_000_000;

/** The images among the files of a run, for an agent that asked to see them. */
export async function picturesOf(
  context: Context,
  files: readonly { url: string; content_type: unknown }[] = [],
): Promise<ContentBlock[]> {
  const shown: ContentBlock[] = [];
  for (const { url, content_type: type } of files) {
    if (typeof type !== "string" || !type.startsWith("image/") || shown.length >= maxPictures) continue;
    const key = keyOfOwnUrl(context, url);
    const object = key === null ? null : await context.store.get(key);
    if (!object) continue;
    if (object.sizeBytes > maxBytes) {
      object.stream.destroy();
      shown.push({ type: "text", text: `The picture at ${url} is too large to show here.` });
      continue;
    }
    const chunks = await object.stream.toArray();
    shown.push({ type: "image", data: Buffer.concat(chunks).toString("base64"), mimeType: type });
  }
  return shown;
}
