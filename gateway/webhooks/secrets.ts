import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** A secret as it lies in the database. */
export interface SealedSecret {
  keyId: string;
  ciphertext: string;
}

const cipherName = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;
const hintLength = 4;

/** A fresh signing secret: `whsec_` and the base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** What may be shown of a secret afterwards. */
export function secretHint(secret: string): string {
  return secret.slice(-hintLength);
}

/** Seals and opens signing secrets with a key derived from the master secret of the gateway. */
export interface SecretBox {
  /** Binds the secret to its endpoint: moved to another row it does not open. */
  seal(secret: string, endpointId: string): SealedSecret;
  /** Throws when the master secret has changed since, saying so. */
  open(sealed: SealedSecret, endpointId: string): string;
}

export function createSecretBox(masterSecret: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", masterSecret, "", "gatehouse webhook secrets", 32));
  const keyId = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return {
    seal(secret, endpointId) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(cipherName, key, iv).setAAD(Buffer.from(endpointId));
      const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return { keyId, ciphertext: Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64") };
    },
    open(sealed, endpointId) {
      if (sealed.keyId !== keyId)
        throw new Error(
          `The signing secret of ${endpointId} was sealed under another AUTH_SECRET: restore it, or rotate the secret`,
        );
      const bytes = Buffer.from(sealed.ciphertext, "base64");
      const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(endpointId))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([
        decipher.update(bytes.subarray(ivBytes + tagBytes)),
        decipher.final(),
      ]).toString();
    },
  };
}
