import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { NewCause } from "#gateway/platform/outbox/record-cause.ts";

const noticeMs = 30 * 86_400_000;

/** The certificate that outputs are signed with, when it expires soon. A new one takes longer to get than one for a host. */
export async function signingCauses({ signer }: Context): Promise<Omit<NewCause, "accountId" | "once">[]> {
  if (!signer) return [];
  const { certificate } = await signer.current();
  const { subject, expiresAt } = certificate;
  if (expiresAt.getTime() - clock.now() >= noticeMs) return [];
  const data = { subject, expires_at: expiresAt.toISOString() };
  return [{ cause: "signing_certificate.expiring", data }];
}
