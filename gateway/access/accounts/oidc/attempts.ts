import { randomBytes } from "node:crypto";
import type { ProviderPurpose } from "#contract/accounts/oidc.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, isNull } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { providerSignIns } from "#gateway/platform/database/schema.ts";
import { credentialHash } from "../keys/format.ts";
import type { Expected } from "./provider.ts";

const lifetimeMs = 600_000;

export type SignInRow = typeof providerSignIns.$inferSelect;

export interface Intent {
  purpose: ProviderPurpose;
  userId: string | null;
  invitation: { id: string; tokenHash: string } | null;
}

/** Stores, for ten minutes, the values that a browser must bring back from the provider. */
export async function beginSignIn(
  queries: Queries,
  { purpose, userId, invitation }: Intent,
): Promise<Expected & { expiresAt: Date }> {
  const expected = { state: randomText(), nonce: randomText(), codeVerifier: randomText() };
  const expiresAt = new Date(clock.now() + lifetimeMs);
  await queries.insert(providerSignIns).values({
    stateHash: credentialHash(expected.state),
    purpose,
    nonce: expected.nonce,
    codeVerifier: expected.codeVerifier,
    userId,
    invitationId: invitation?.id ?? null,
    invitationHash: invitation?.tokenHash ?? null,
    expiresAt,
  });
  return { ...expected, expiresAt };
}

/** The minimum length of a PKCE code verifier. */
function randomText(): string {
  return randomBytes(32).toString("base64url");
}

/** Takes the data stored for a `state` parameter, which works only once. Throws `sign_in_expired`. */
export async function takeSignIn(queries: Queries, state: string): Promise<SignInRow> {
  const now = clock.date();
  const [row] = await queries
    .update(providerSignIns)
    .set({ usedAt: now })
    .where(
      and(
        eq(providerSignIns.stateHash, credentialHash(state)),
        isNull(providerSignIns.usedAt),
        gt(providerSignIns.expiresAt, now),
      ),
    )
    .returning();
  if (!row)
    throw new ApiError(
      "sign_in_expired",
      "This sign-in took longer than ten minutes, or was already finished. Start again.",
    );
  return row;
}

export const providerSignInSweep = rowSweep({
  kind: "provider_sign_ins",
  table: "provider_sign_ins",
  dueAt: "expires_at",
});
