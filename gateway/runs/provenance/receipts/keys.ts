import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import type { ReceiptKey, ReceiptKeys } from "#contract/receipts.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { canonicalJson } from "#gateway/platform/core/canonical-json.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { createSealer, type MasterSecret, type Sealer } from "#gateway/platform/core/console-secret.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { desc, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { receiptKeys } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";

/*
 * One key pair of the installation signs receipts. The pair is created when the first receipt is read; a
 * unique index allows only one current key, so all processes use the same one. A rotation erases the private
 * key and keeps the public key for ever.
 */

type KeyRow = typeof receiptKeys.$inferSelect;

export interface SigningKey {
  kid: string;
  key: KeyObject;
}

const opened = new WeakMap<RunsContext["database"], SigningKey>();

/** The current signing key. Throws `service_unavailable` if it cannot be decrypted. */
export async function currentKey(context: RunsContext): Promise<SigningKey> {
  const row = await currentRow(context);
  const known = opened.get(context.database);
  if (known?.kid === row.kid) return known;
  const key = { kid: row.kid, key: openKey(context.config, row) };
  opened.set(context.database, key);
  return key;
}

async function currentRow({ database, config }: RunsContext): Promise<KeyRow> {
  const { queries } = database;
  const read = () => queries.select().from(receiptKeys).where(isNull(receiptKeys.retiredAt));
  const [known] = await read();
  if (known) return known;
  // Another process may create a key at the same time; then that key is used.
  await queries.insert(receiptKeys).values(newKey(config)).onConflictDoNothing();
  const [made] = await read();
  if (!made) throw new Error("The receipt key was not created");
  return made;
}

function newKey(master: MasterSecret): typeof receiptKeys.$inferInsert {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const kid = createHash("sha256")
    .update(canonicalJson({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
  const secret = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  const { keyId: sealedBy, ciphertext } = keySealer(master).seal(secret, kid);
  return { kid, publicKey: x, sealedBy, ciphertext };
}

function openKey(master: MasterSecret, { kid, sealedBy, ciphertext }: KeyRow): KeyObject {
  try {
    const secret = keySealer(master).open({ keyId: sealedBy ?? "", ciphertext: ciphertext ?? "" }, kid);
    return createPrivateKey({ key: Buffer.from(secret, "base64"), format: "der", type: "pkcs8" });
  } catch (cause) {
    throw new ApiError(
      "service_unavailable",
      "The key that signs receipts cannot be opened with the current AUTH_SECRET. An operator can rotate it in the console (Signing).",
      { cause },
    );
  }
}

function keySealer(master: MasterSecret): Sealer {
  return createSealer(master, "gatehouse receipt keys");
}

/** All public keys, the current one first. */
export async function publicKeys(context: RunsContext): Promise<ReceiptKeys> {
  await currentRow(context);
  const rows = await context.database.queries.select().from(receiptKeys).orderBy(desc(receiptKeys.createdAt));
  return { keys: rows.sort((one) => (one.retiredAt === null ? -1 : 0)).map(keyView) };
}

function keyView({ kid, publicKey: x, createdAt, retiredAt }: KeyRow): ReceiptKey {
  return {
    ...{ alg: "EdDSA", created_at: createdAt.toISOString(), crv: "Ed25519", kid, kty: "OKP" },
    pem: publicKeyOf(x).export({ format: "pem", type: "spki" }).toString(),
    ...{ retired_at: retiredAt?.toISOString() ?? null, use: "sig", x },
  };
}

function publicKeyOf(x: string): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** The public key with this id; null if this installation never had it. */
export async function findPublicKey(queries: Queries, kid: string): Promise<KeyObject | null> {
  const [row] = await queries.select().from(receiptKeys).where(eq(receiptKeys.kid, kid));
  return row ? publicKeyOf(row.publicKey) : null;
}

/** Signs with a new key from now on. The private key of the old one is erased. */
export async function rotateKey(context: RunsContext, caller: Caller): Promise<ReceiptKeys> {
  // Prevents another process from creating a first key at the same time.
  await currentRow(context);
  await audited(context, caller, "receipt_key.rotated", async (queries) => {
    // A rotation by another operator ends first; then this call retires the key of that rotation.
    await lockName(queries, "receipt keys");
    const retired = await queries
      .update(receiptKeys)
      .set({ retiredAt: clock.date(), sealedBy: null, ciphertext: null })
      .where(isNull(receiptKeys.retiredAt))
      .returning({ kid: receiptKeys.kid });
    const fresh = newKey(context.config);
    await queries.insert(receiptKeys).values(fresh);
    return { target: fresh.kid, detail: { retired: retired[0]?.kid ?? null }, result: null };
  });
  return publicKeys(context);
}

/** While AUTH_SECRET is being replaced: reseals the key of receipts with the new one. */
export const receiptKeySealSweep: Sweep = {
  kind: "receipt_key_seals",
  async run({ config, database, log }) {
    if (!config.previousSecret) return false;
    const sealer = keySealer(config);
    await database.transaction(async (queries) => {
      const [row] = await queries
        .select()
        .from(receiptKeys)
        .where(isNull(receiptKeys.retiredAt))
        .for("no key update", { skipLocked: true });
      if (!row || row.sealedBy === sealer.keyId) return;
      try {
        const secret = sealer.open({ keyId: row.sealedBy ?? "", ciphertext: row.ciphertext ?? "" }, row.kid);
        const { keyId: sealedBy, ciphertext } = sealer.seal(secret, row.kid);
        await queries.update(receiptKeys).set({ sealedBy, ciphertext }).where(eq(receiptKeys.kid, row.kid));
      } catch (error) {
        log.error({ err: error }, "the key of receipts cannot be opened");
      }
    });
    return false;
  },
  oldestDue: () => null,
};
