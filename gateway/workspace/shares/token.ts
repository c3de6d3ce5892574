import { createHmac, timingSafeEqual } from "node:crypto";
import { idPrefixes, ulidOf } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { deriveKeys } from "#gateway/platform/core/master-secret.ts";

type Signing = { config: Pick<Context["config"], "secret" | "previousSecret"> };

const purpose = "gatehouse shared links v1";
/** 144 bits, so that nobody guesses one. */
const signatureBytes = 18;
const form = /^([0-9a-hjkmnp-tv-z]{26})([\w-]{24})$/;

/**
 * What a link has in its address: the share's id and a signature of it. It is computed, so that the list can show a link
 * again and no database holds one.
 */
export function tokenOf({ config }: Signing, id: string): string {
  const [current] = deriveKeys(config, purpose);
  return ulidOf(id) + signatureOf(current, id);
}

/** The share of a token that this gateway made; null for any other text. */
export function shareOfToken({ config }: Signing, token: string): string | null {
  const [, ulid, signature = ""] = form.exec(token) ?? [];
  if (ulid === undefined) return null;
  const id = `${idPrefixes.share}_${ulid}`;
  const given = Buffer.from(signature);
  const isOurs = deriveKeys(config, purpose).some((key) =>
    timingSafeEqual(given, Buffer.from(signatureOf(key, id))),
  );
  return isOurs ? id : null;
}

function signatureOf(key: Buffer, id: string): string {
  return createHmac("sha256", key).update(id).digest().subarray(0, signatureBytes).toString("base64url");
}
