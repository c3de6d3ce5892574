import type { Context } from "#gateway/context.ts";
import { newKeptFolder } from "#gateway/files/storage/kept-keys.ts";
import { removeReservedFilesOf, reserveFiles } from "#gateway/files/storage/reserved-files.ts";
import type { StoredInput } from "#gateway/platform/database/tables/predictions.ts";
import { outputFileRemoved } from "#gateway/runs/provenance/find-outputs.ts";
import type { StoredRow } from "#gateway/runs/provenance/output-row.ts";

interface Copies {
  /** Of their reservation, until a row owns them. */
  reservation: string;
  key: string;
  media: StoredInput[];
}

interface Copied {
  from: string;
  to: string;
  contentType: string;
  sizeBytes: number;
  sha256: string | null;
}

/**
 * Copies an output and the files of its input as objects of their own, byte for byte, through this process but never whole
 * in its memory. They are reserved before, so that a process that dies leaves nothing. Throws `payload_purged`,
 * `storage_limit_exceeded`.
 */
export async function copyFiles(context: Context, output: StoredRow, media: StoredInput[]): Promise<Copies> {
  const folder = newKeptFolder(output.id);
  // Saved under the same name as the run's own file.
  const key = `${folder}/${output.key.split("/").slice(-2).join("/")}`;
  const copies = media.map((input, index) => ({ ...input, key: `${folder}/inputs/${index}` }));
  const files: Copied[] = [
    { ...output, from: output.key, to: key },
    ...media.map((input, index) => ({
      ...input,
      from: input.key,
      to: `${folder}/inputs/${index}`,
      sha256: null,
    })),
  ];
  await context.database.transaction(async (queries) => {
    const { accountId } = output;
    const reserved = files.map(({ to, sizeBytes }) => ({ key: to, sizeBytes }));
    await reserveFiles(queries, { id: folder, accountId, files: reserved });
    await context.storageLimit.assertWithin(queries, accountId);
  });
  try {
    for (const file of files) await copy(context, file);
  } catch (error) {
    await dropCopies(context, folder);
    throw error;
  }
  return { reservation: folder, key, media: copies };
}

/** Removes copies that no row will own, at once and not in an hour. */
export async function dropCopies(context: Context, reservation: string): Promise<void> {
  await removeReservedFilesOf(context, [reservation]).catch((err: unknown) =>
    context.log.warn({ err, reservation }, "copies could not be removed yet"),
  );
}

async function copy({ store }: Context, { from, to, contentType, sizeBytes, sha256 }: Copied): Promise<void> {
  const original = await store.get(from);
  if (!original) throw outputFileRemoved();
  const { stream } = original;
  const written = await store
    .put(to, stream, { contentType, maxBytes: sizeBytes })
    .finally(() => void stream.destroy());
  if (written.sizeBytes !== sizeBytes || (sha256 !== null && written.sha256 !== sha256))
    throw new Error(`the copy ${to} differs from ${from}`);
}
