import type { SignInRule } from "#contract/accounts/account.ts";
import type { SessionMethod } from "#contract/accounts/sessions.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** Whether a session opened in this way may select an account with this rule. */
export function opensAccount(method: SessionMethod | null, rule: SignInRule): boolean {
  return rule === "any" || method === "oidc";
}

export function providerRequired(): ApiError {
  return new ApiError(
    "provider_sign_in_required",
    "Members of this account sign in with its identity provider. Use the provider's button.",
  );
}
