import type { Context } from "#gateway/context.ts";

/** The whole object in memory; null when it is not there. For objects of a size that was checked before. */
export async function bytesOf({ store }: Pick<Context, "store">, key: string): Promise<Buffer | null> {
  const object = await store.get(key);
  return object && Buffer.concat(await object.stream.toArray());
}
