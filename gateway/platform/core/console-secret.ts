import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/** The master secret, and the previous one during a rotation. */
export interface MasterSecret {
  secret: string;
  previousSecret: string | null;
}

/** An encrypted text as it is stored in the database. */
export interface Sealed {
  keyId: string;
  ciphertext: string;
}

/** Seals and opens texts for one purpose. */
export interface Sealer {
  /** `seal` stores this id with its results; rows with another key id must be resealed. */
  keyId: string;
  /** Binds the text to its owner, e.g. the id of its row, so that it cannot be opened for another owner. */
  seal(text: string, owner: string): Sealed;
  /** Throws if neither master secret sealed the text. */
  open(sealed: Sealed, owner: string): string;
}

const keyBytes = 32;
const cipherName = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;
const derived = new Map<string, Map<string, KeyObject>>();

/**
 * The keys for one purpose, derived from the master secrets, so that one key does not reveal another. The
 * first signs and seals; all of them verify and open.
 */
export function deriveKeys(master: MasterSecret, purpose: string): [KeyObject, ...KeyObject[]] {
  const current = deriveKey(master.secret, purpose);
  return master.previousSecret ? [current, deriveKey(master.previousSecret, purpose)] : [current];
}

/**
 * Derives every key from the master secret: HKDF with a label per purpose. With a key object instead of its
 * bytes Node signs six times as fast, and a list of predictions contains thousands of signed URLs.
 */
function deriveKey(secret: string, purpose: string): KeyObject {
  const ofSecret = derived.get(secret) ?? new Map<string, KeyObject>();
  const known = ofSecret.get(purpose);
  if (known) return known;
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", purpose, keyBytes)));
  derived.set(secret, ofSecret.set(purpose, key));
  return key;
}

/** Seals with the current master secret; opens also with the previous one. */
export function createSealer(master: MasterSecret, purpose: string): Sealer {
  const keys = deriveKeys(master, purpose);
  const keyById = new Map(keys.map((key) => [idOf(key), key]));
  const [current] = keys;
  const keyId = idOf(current);
  return {
    keyId,
    seal(text, owner) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(cipherName, current, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return { keyId, ciphertext: Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64") };
    },
    open(sealed, owner) {
      const key = keyById.get(sealed.keyId);
      if (!key)
        throw new Error(
          `The secret of ${owner} was sealed with another AUTH_SECRET: set that one as AUTH_SECRET_PREVIOUS, or rotate the secret`,
        );
      const bytes = decodedExactly(sealed.ciphertext, "base64");
      const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([
        decipher.update(bytes.subarray(ivBytes + tagBytes)),
        decipher.final(),
      ]).toString();
    },
  };
}

/**
 * The bytes of a signature or sealed text; none if the text is not exactly what encodes them. Node.js decodes
 * leniently: whatever follows the padding is ignored, so a changed text would pass.
 */
export function decodedExactly(text: string, encoding: "base64" | "base64url"): Buffer {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : Buffer.alloc(0);
}

function idOf(key: KeyObject): string {
  return createHash("sha256").update(key.export()).digest("hex").slice(0, 8);
}

/**
 * The secrets that encrypt the console's cookies, the current one first. They are derived, so that the
 * console's process never holds the keys that sign URLs and open sealed secrets.
 */
export function consoleSecrets(master: MasterSecret): [string, ...string[]] {
  const [current, ...previous] = deriveKeys(master, "gatehouse console");
  return [textOf(current), ...previous.map(textOf)];
}

function textOf(key: KeyObject): string {
  return key.export().toString("base64url");
}
