import type { SecondFactorAdded, TotpSetup, WithProof } from "#contract/accounts/second-factor.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { totpSecrets } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAuditOfPerson } from "../audit.ts";
import { addedSecondFactor, removeSecondFactor } from "./changes.ts";
import { assertProof, countCode, personOf } from "./proof.ts";
import { secretOf } from "./spend-totp.ts";
import { newTotpSecret, stepOfCode, totpUri } from "./totp.ts";
import { sealerOf } from "./totp-sealer.ts";

/** How apps name the entry. */
const issuer = "Gatehouse";

/** Makes the secret for an app; it counts once a code of it was given. Throws as `assertProof`. */
export async function beginTotp(context: Context, caller: Caller, { proof }: WithProof): Promise<TotpSetup> {
  const user = await personOf(context, caller.actor);
  await assertProof(context, caller, proof, { freshIsEnough: true });
  const secret = newTotpSecret();
  const row = { userId: user.id, isConfirmed: false, ...sealerOf(context.config).seal(secret, user.id) };
  await context.database.transaction(async (queries) => {
    await queries.delete(totpSecrets).where(secretOf(user.id, false));
    await queries.insert(totpSecrets).values(row);
  });
  const uri = totpUri(secret, user.email, issuer);
  const { default: QRCode } = await import("qrcode");
  return {
    object: "totp_setup",
    secret,
    uri,
    qr_svg: await QRCode.toString(uri, { type: "svg", margin: 2 }),
  };
}

/** Ends the set-up with a code; an app that was set up before no longer counts. Throws `invalid_second_factor`. */
export async function confirmTotp(
  context: Context,
  caller: Caller,
  code: string,
): Promise<SecondFactorAdded> {
  const { actor, ip, requestId } = caller;
  const user = await personOf(context, actor);
  const attempt = await countCode(context, user.email, ip);
  const added = await context.database.transaction(async (queries) => {
    const [row] = await queries.select().from(totpSecrets).where(secretOf(user.id, false)).for("update");
    const secret = row && sealerOf(context.config).open(row, user.id);
    const step = secret ? stepOfCode(secret, code.replaceAll(" ", ""), clock.now()) : null;
    if (step === null)
      throw new ApiError(
        "invalid_second_factor",
        "This code does not belong to the QR code shown. Check that the phone's clock is right.",
        { param: "code" },
      );
    await queries.delete(totpSecrets).where(secretOf(user.id, true));
    await queries
      .update(totpSecrets)
      .set({ isConfirmed: true, lastStep: step, lastUsedAt: clock.date() })
      .where(secretOf(user.id, false));
    const entry = { actor, action: "totp.created" as const, targetId: user.id, ip, requestId };
    await recordAuditOfPerson(queries, user.id, entry);
    return addedSecondFactor(queries, caller, null);
  });
  await attempt.succeed();
  context.credentials.forget(user.id);
  return added;
}

/** Throws as `assertProof` and `removeSecondFactor`. */
export function removeTotp(context: Context, caller: Caller, input: WithProof): Promise<void> {
  return removeSecondFactor(context, caller, input, "totp.removed", caller.actor.id, async (queries) => {
    const gone = await queries
      .delete(totpSecrets)
      .where(eq(totpSecrets.userId, caller.actor.id))
      .returning({ isConfirmed: totpSecrets.isConfirmed });
    if (!gone.some(({ isConfirmed }) => isConfirmed))
      throw new ApiError("invalid_parameter", "No authenticator app is set up.");
  });
}
