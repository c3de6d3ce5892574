import type { ProviderStart, ProviderStarted } from "#contract/accounts/oidc.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-block.ts";
import { assertOpen, findByToken } from "../invitations/find.ts";
import { assertOperator } from "../operator.ts";
import { beginSignIn, type Intent } from "./attempts.ts";
import type { Provider } from "./provider.ts";

/** Sign-ins begun from one address. */
const starts: Limit = { name: "provider sign-ins", count: 60, periodMs: 60_000 };

/**
 * Sends a browser to the provider. Throws `provider_not_configured`, `user_session_required`, `operator_required`, as
 * `findByToken` and `assertOpen`, `service_unavailable`.
 */
export async function startProviderSignIn(
  { database, limiter }: Context,
  provider: Provider,
  input: ProviderStart,
  signedIn: Actor | null,
  ip: string,
): Promise<ProviderStarted> {
  const { queries } = database;
  const taken = await limiter.take(addressBlock(ip), starts);
  if (!taken.allowed)
    throw tooManyRequests("Too many sign-ins were started. Wait a minute and try again.", taken);
  const purpose = input.purpose ?? "sign_in";
  const intent: Intent = { purpose, userId: null, invitation: null };
  if (purpose === "sign_in") {
    assertSwitchedOn(provider);
    if (input.invitation_token !== undefined) {
      const row = await findByToken(queries, input.invitation_token);
      assertOpen(row);
      intent.invitation = { id: row.id, tokenHash: row.tokenHash };
    }
  } else {
    if (signedIn?.kind !== "user")
      throw new ApiError("user_session_required", "Sign in first: this is about the signed-in person.");
    intent.userId = signedIn.id;
    if (purpose === "check") await assertOperator(queries, signedIn);
    else assertSwitchedOn(provider);
  }
  const { expiresAt, ...expected } = await beginSignIn(queries, intent);
  return {
    object: "provider_sign_in",
    url: await provider.signInAddress(expected),
    state: expected.state,
    expires_at: expiresAt.toISOString(),
  };
}

/** Throws `provider_not_configured`. */
function assertSwitchedOn({ settings }: Provider): void {
  if (!settings.signIn)
    throw new ApiError(
      "provider_not_configured",
      "Signing in with the identity provider is not switched on: OIDC_SIGN_IN is off.",
    );
}
