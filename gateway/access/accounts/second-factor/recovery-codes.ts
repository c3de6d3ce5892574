import { randomBytes } from "node:crypto";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { recoveryCodes } from "#gateway/platform/database/schema.ts";
import { credentialHash } from "../keys/format.ts";

const codesMade = 10;
/** Of 32 letters each: 80 bits, so a slow hash would add nothing. */
const codeLength = 16;
/** Without the letters that look like others (Crockford). */
const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/** Replaces a person's recovery codes; the answer is the only place where they are shown. */
export async function replaceRecoveryCodes(queries: Queries, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codesMade }, newCode);
  await queries.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await queries
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, codeHash: credentialHash(plain(code)) })));
  return codes;
}

/** Uses a code up; false when it is not one of this person's, or was used before. */
export async function spendRecoveryCode(queries: Queries, userId: string, code: string): Promise<boolean> {
  const spent = await queries
    .update(recoveryCodes)
    .set({ usedAt: clock.date() })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, credentialHash(plain(code))),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId });
  return spent.length > 0;
}

/** Four groups of four. */
function newCode(): string {
  const text = [...randomBytes(codeLength)].map((byte) => letters.charAt(byte % letters.length)).join("");
  return text.match(/.{4}/g)?.join("-") ?? text;
}

/** A code as it is hashed, however it was typed. */
function plain(code: string): string {
  return code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
}
