import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { reserveFiles } from "#gateway/files/storage/reserved-files.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import { clock } from "#gateway/platform/core/clock.ts";

const keptMs = 3_600_000;
const dataUri = /^data:([\w.+-]+\/[\w.+-]+)[^,]{0,200};base64,/;

/**
 * The address of a file that an answer has as text, for an hour: as base64 it would fill what an agent can remember. Anything else is
 * answered as it is.
 */
export async function asAddress(
  context: Context,
  accountId: string,
  model: string,
  value: unknown,
): Promise<unknown> {
  const start = typeof value === "string" ? dataUri.exec(value) : null;
  if (typeof value !== "string" || !start) return value;
  const [prefix, contentType = ""] = start;
  const bytes = Buffer.from(value.slice(prefix.length), "base64");
  const id = newId("generation");
  const key = `outputs/${id}/0`;
  const until = new Date(clock.now() + keptMs);
  const files = [{ key, sizeBytes: bytes.length }];
  await reserveFiles(context.database.queries, { id, accountId, files, until });
  await context.store.put(key, bytes, { contentType });
  return Clearance.full.addresses(context, { model, key, contentType, expiresAt: until }).url;
}
