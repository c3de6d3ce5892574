import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { newId } from "#contract/ids.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull, ne } from "#gateway/platform/database/drizzle.ts";
import { contentKeys } from "#gateway/platform/database/schema.ts";

/*
 * Each content is sealed by a random key of its own, which is in its row, sealed by a random key of the account,
 * which the master secret seals. So deleting a row makes it unreadable in every copy of the table that has lost the
 * row, and erasing the account's key makes all of them unreadable at once.
 */

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const cipherName = "aes-256-gcm";

/** A key that seals bytes; `owner` binds them to their row. */
export type ContentSecret = Buffer;

/** What a content's own key seals. A key seals each of them once, so its place can be the nonce. */
const nonces = { opening: Buffer.alloc(ivBytes, 1), text: Buffer.alloc(ivBytes, 2) } as const;
type Place = keyof typeof nonces;

/** A content's own key, and the nonce with which the account's key seals it. */
export interface ContentOwnSecret {
  secret: ContentSecret;
  nonce: Buffer;
}

/** New keys for `count` contents, from one draw of random bytes: a draw for each would take as long as sealing. */
export function newSecrets(count: number): ContentOwnSecret[] {
  const bytes = randomBytes((keyBytes + ivBytes) * count);
  return Array.from({ length: count }, (_, nth) => {
    const own = bytes.subarray(nth * (keyBytes + ivBytes), (nth + 1) * (keyBytes + ivBytes));
    return { secret: own.subarray(0, keyBytes), nonce: own.subarray(keyBytes) };
  });
}

/** Seals a part of one content by the content's own key. Returns pieces, which are written one after the other. */
export function sealPart(secret: ContentSecret, owner: Buffer, place: Place, bytes: Buffer): Buffer[] {
  return sealed(secret, nonces[place], owner, bytes);
}

/** Throws if the key did not seal this part of this content. */
export function openPart(secret: ContentSecret, id: string, place: Place, bytes: Buffer): Buffer {
  return opened(secret, nonces[place], id, bytes);
}

/** Seals a content's own key by the key of its account. Returns pieces, as `sealPart`. */
export function sealSecret(
  accountSecret: ContentSecret,
  owner: Buffer,
  { secret, nonce }: ContentOwnSecret,
): Buffer[] {
  return [nonce, ...sealed(accountSecret, nonce, owner, secret)];
}

export function openSecret(accountSecret: ContentSecret, id: string, bytes: Buffer): ContentSecret {
  return opened(accountSecret, bytes.subarray(0, ivBytes), id, bytes.subarray(ivBytes));
}

function sealed(secret: ContentSecret, nonce: Buffer, owner: Buffer, bytes: Buffer): Buffer[] {
  const cipher = createCipheriv(cipherName, secret, nonce).setAAD(owner);
  const pieces = [cipher.update(bytes)];
  cipher.final();
  return [...pieces, cipher.getAuthTag()];
}

function opened(secret: ContentSecret, nonce: Buffer, owner: string, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(cipherName, secret, nonce)
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
}

function sealerOf(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse contents");
}

type KeyRow = typeof contentKeys.$inferSelect;

/** The secret of an account's key; null if it was erased, or if neither master secret opens it. */
export function secretOf(master: MasterSecret, { id, sealedBy, ciphertext }: KeyRow): ContentSecret | null {
  if (sealedBy === null || ciphertext === null) return null;
  try {
    return Buffer.from(sealerOf(master).open({ keyId: sealedBy, ciphertext }, id), "base64");
  } catch {
    return null;
  }
}

/** Makes sure that the account has a key. Call it under a lock of the account's row. */
export async function makeContentKey(
  queries: Queries,
  master: MasterSecret,
  accountId: string,
): Promise<void> {
  const id = newId("contentKey");
  const secret = randomBytes(keyBytes).toString("base64");
  const { keyId: sealedBy, ciphertext } = sealerOf(master).seal(secret, id);
  await queries.insert(contentKeys).values({ id, accountId, sealedBy, ciphertext }).onConflictDoNothing();
}

/** Erases the account's key if neither master secret opens it: nothing that it sealed can ever be read. */
export async function eraseUselessKey(
  queries: Queries,
  master: MasterSecret,
  accountId: string,
): Promise<void> {
  const [key] = await queries
    .select()
    .from(contentKeys)
    .where(and(eq(contentKeys.accountId, accountId), isNotNull(contentKeys.ciphertext)));
  if (key && secretOf(master, key) === null) await eraseContentKey(queries, accountId);
}

/**
 * Erases the account's key: from the commit on nothing that it sealed can be read, and nothing more is written. A
 * write of another process that has begun ends first.
 */
export async function eraseContentKey(queries: Queries, accountId: string): Promise<void> {
  await queries
    .update(contentKeys)
    .set({ sealedBy: null, ciphertext: null })
    .where(and(eq(contentKeys.accountId, accountId), isNotNull(contentKeys.ciphertext)));
}

const resealedAtOnce = 200;

/** While AUTH_SECRET is being replaced: reseals the accounts' keys with the new one. */
export const contentKeySealSweep: Sweep = {
  kind: "content_key_seals",
  async run({ config, database, log }: PlatformContext) {
    if (!config.previousSecret) return false;
    const sealer = sealerOf(config);
    return database.transaction(async (queries) => {
      const rows = await queries
        .select()
        .from(contentKeys)
        .where(and(isNotNull(contentKeys.ciphertext), ne(contentKeys.sealedBy, sealer.keyId)))
        .limit(resealedAtOnce)
        .for("no key update", { skipLocked: true });
      let resealed = 0;
      for (const row of rows) {
        const secret = secretOf(config, row);
        if (secret === null) {
          log.error({ account: row.accountId }, "the key of an account's contents cannot be opened");
          continue;
        }
        const { keyId: sealedBy, ciphertext } = sealer.seal(secret.toString("base64"), row.id);
        await queries.update(contentKeys).set({ sealedBy, ciphertext }).where(eq(contentKeys.id, row.id));
        resealed += 1;
      }
      return resealed === resealedAtOnce;
    });
  },
  oldestDue: () => null,
};
