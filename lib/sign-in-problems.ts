import { byName } from "#contract/by-name.ts";

/** Why a sign-in with the identity provider failed, by the code in the address. */
const problems = byName<string>({
  sign_in_expired: "The sign-in took longer than ten minutes or was used already. Start again.",
  provider_sign_in_failed: "The identity provider's answer could not be verified. Start again.",
  provider_sign_in_refused:
    "The identity provider gives you no access here. Ask a colleague for an invitation.",
  provider_not_configured: "Signing in with an identity provider is not set up here.",
  email_taken:
    "Somebody with your e-mail address exists. If that is you, sign in as before and link the provider in your settings.",
  identity_taken: "This sign-in at the identity provider belongs to another person here already.",
  invitation_not_for_you:
    "The invitation is for another e-mail address than the one at the identity provider.",
  invitation_used: "The invitation was accepted already. Sign in instead.",
  invitation_expired: "The invitation has expired. Ask for a new link.",
  member_exists: "You are a member of that account already. Sign in instead.",
  account_closing: "That account will be deleted, so nobody joins it any more.",
  account_not_found: "You are not a member of any account. Ask a colleague for an invitation.",
  operator_required: "Only an operator, who runs this installation, can do this.",
  service_unavailable: "The identity provider cannot be reached. Try again in a moment.",
  rate_limit_exceeded: "Too many sign-ins were started. Wait a minute, then try again.",
  gateway_unreachable: "The gateway cannot be reached. Check that it is running, then try again.",
});

/** What the sign-in page says; null when there is nothing to say. An address never brings a text of its own. */
export function signInProblem(code: string | undefined): string | null {
  if (code === undefined) return null;
  return (Object.hasOwn(problems, code) && problems[code]) || "Sign-in failed. Try again.";
}
