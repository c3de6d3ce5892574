/** Why signing in failed, by the code of the gateway. */
export default {
  account_closing: "That account will be deleted, so nobody can join it.",
  account_not_found: "You are not a member of any account. Ask a colleague for an invitation.",
  account_suspended: "That account is suspended, so nobody can join it.",
  email_taken:
    "A person with your e-mail address already exists. If that is you, sign in as before and link the provider in your settings.",
  expired_api_key: "This key has expired. Use another one.",
  gateway_unreachable: "The gateway cannot be reached. Check that it is running, then try again.",
  identity_taken: "This identity at the provider is already linked to another person.",
  invalid_api_key: "Unknown key. Check that you copied the whole key.",
  invalid_credentials: "Wrong e-mail or password.",
  invalid_second_factor: "This code is wrong or was already used. Try again.",
  invitation_expired: "The invitation has expired. Ask for a new link.",
  invitation_not_for_you:
    "The invitation is for another e-mail address than yours at the identity provider. Ask for a new invitation.",
  invitation_used: "The invitation was already accepted. Sign in instead.",
  member_exists: "You are already a member of that account. Sign in instead.",
  missing_api_key: "Enter an account key.",
  network_not_allowed: "You cannot sign in from your network. Ask an owner of your account, or the operator.",
  offline: "The console cannot be reached. Check your connection and try again.",
  operator_required: "Only operators of this installation can do this.",
  passkey_refused:
    "This passkey is unknown, or could not be checked. Sign in another way. If you removed the passkey from your profile, remove it from this device too.",
  provider_not_configured: "Signing in with an identity provider is not set up on this gateway.",
  provider_sign_in_expired: "The sign-in took longer than ten minutes or was already completed. Start again.",
  provider_sign_in_failed: "The identity provider's answer could not be verified. Start again.",
  provider_sign_in_refused:
    "The identity provider does not give you access to this gateway. Ask a colleague for an invitation.",
  provider_sign_in_required:
    "Your account requires its identity provider. Sign in with the provider's button.",
  rate_limit_exceeded: "Too many attempts. Wait one to two minutes, then try again.",
  revoked_api_key: "This key was revoked. Use another one.",
  service_unavailable: "The identity provider cannot be reached. Try again in a moment.",
  sign_in_expired: "The sign-in took too long. Sign in again.",
  other: "Sign-in failed. Try again.",
  withCode: "Sign-in failed ({code}). Try again.",
} as const;
