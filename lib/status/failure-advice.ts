import { byName } from "#contract/by-name.ts";
import { asSentence } from "../format.ts";
import type { GatewayFailure } from "../gateway/result.ts";
import { guideHref } from "../guides/guide-href.ts";

interface FailureAdvice {
  title: string;
  /** The first thing to do. The description of the failure comes after it. */
  advice: string;
  /** The link opens a new tab when this page has typed input. */
  action?: { label: string; href: string; target?: "_blank" };
  /** True when signing in again on this page helps. */
  signsIn?: true;
}

const adviceByCode = byName<(failure: GatewayFailure) => FailureAdvice>({
  signed_out: () => ({
    title: "Sign in again",
    advice: "Your session has expired. What you typed stays on this page.",
    signsIn: true,
  }),
  signed_in_as_another: () => ({
    title: "Another person is signed in now",
    advice: "Nothing was sent. Sign in again as yourself; what you typed stays on this page.",
    signsIn: true,
  }),
  gateway_unreachable: (failure) => ({
    title: "The gateway cannot be reached",
    advice: `Check that it is running, then try again. ${asSentence(failure.message)}`,
  }),
  offline: () => ({
    title: "You are offline",
    advice: "Nothing was sent. Check your connection and try again.",
  }),
  console_renewed: () => ({
    title: "Reload the page",
    advice: "A new version is available. Nothing was sent. Copy any text you typed here before you reload.",
  }),
  account_not_found: () => ({
    title: "You are no longer a member of this account",
    advice: "Nothing was changed. Reload the page to continue with another of your accounts.",
  }),
  account_required: () => ({
    title: "Choose an account",
    advice:
      "You have joined another account since this page was opened. Nothing was changed. Reload the page, then try again.",
  }),
  insufficient_scope: () => ({
    title: "This key does not have permission",
    advice: "Sign in with a key that has this permission, or with e-mail and password.",
  }),
  role_not_allowed: ({ details }) => ({
    title: "Your role does not allow this",
    advice: `Ask somebody with a role that does. ${details.map(({ message }) => asSentence(capitalised(message))).join(" ")}`,
  }),
  user_session_required: () => ({
    title: "Sign-in with password required",
    advice: "Sign in with e-mail and password; an account key is not enough.",
    action: { label: "Sign in", href: "/sign-in" },
  }),
  invalid_credentials: () => ({
    title: "Wrong password",
    advice: "Check the password and try again.",
  }),
  password_too_common: (failure) => ({
    title: "Choose a stronger password",
    advice: asSentence(failure.message),
  }),
  invalid_second_factor: (failure) => ({
    title: "Not accepted",
    advice: asSentence(failure.message),
  }),
  passkey_failed: (failure) => ({
    title: "No passkey was used",
    advice: asSentence(failure.message),
  }),
  confirmation_required: (failure) => ({
    title: "Confirm that it is you",
    advice: asSentence(failure.message),
  }),
  sign_in_expired: () => ({
    title: "Start again",
    advice: "This step took too long, or was already completed.",
  }),
  adult_attestation_required: () => attestationAdvice,
  portrait_rights_attestation_required: () => attestationAdvice,
  budget_exceeded: () => ({
    title: "A budget has no room for this run",
    advice:
      "The message names the budget, the amount left and the time of its reset. Raise the budget, or use another key.",
    action: { label: "Open keys", href: "/keys" },
  }),
  content_blocked: (failure) => ({
    title: "A guard blocked this",
    advice: `${asSentence(failure.message)} Change the input before you run it again.`,
    ...toRequest(failure),
  }),
  guard_unavailable: (failure) => ({
    title: "A guard must allow this, and it failed",
    advice: `Try again in a minute. ${asSentence(failure.message)}`,
    ...toRequest(failure),
  }),
  not_priced: () => ({
    title: "This model has no price",
    advice: "With a hard budget, only models with a price can run. Ask an operator to set a price.",
  }),
  storage_limit_exceeded: () => ({
    title: "The storage of this account is full",
    advice: "Delete uploads that you no longer need, or wait until some expire.",
    action: { label: "Open uploads", href: "/uploads" },
  }),
  endpoint_disabled: () => ({
    title: "Enable the endpoint first",
    advice: "A disabled endpoint receives no deliveries. Enable it, then try again.",
  }),
  destination_paused: () => ({
    title: "Resume the destination first",
    advice: "No file is copied to a paused destination.",
  }),
  route_not_found: () => ({
    title: "Not available on this gateway",
    advice:
      "This page needs an extension that is switched off on this gateway. Ask the operator to switch it on.",
  }),
  idempotency_key_reused: (failure) => ({
    title: "This idempotency key was used for another request",
    advice: asSentence(failure.message),
    action: { label: "About idempotency", href: guideHref("idempotency"), target: "_blank" },
  }),
  payload_purged: (failure) => ({
    title: "The object's data was removed",
    advice: asSentence(failure.message),
    action: { label: "About retention", href: guideHref("retention"), target: "_blank" },
  }),
  operator_required: () => ({
    title: "Only operators can do this",
    advice: "This changes the installation for all accounts. Ask an operator.",
  }),
  provider_test_failed: (failure) => ({
    title: "The provider gave no usable answer",
    advice: asSentence(failure.message),
  }),
  configuration_changed: () => ({
    title: "Somebody else has changed this since",
    advice: "Nothing was saved. Reload the page, then make your change again.",
  }),
  preset_changed: () => ({
    title: "Somebody else has changed this preset since",
    advice: "Your change was not saved. The list shows the current preset. Save again to overwrite it.",
  }),
  no_healthy_region: () => ({
    title: "Try again in a minute",
    advice: "No region of this model is healthy right now.",
  }),
});

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The page of the request says which guard was asked, what it cost, and links to the guard. */
function toRequest({ requestId }: GatewayFailure): Pick<FailureAdvice, "action"> {
  return requestId
    ? { action: { label: "Open the request", href: `/requests/${requestId}`, target: "_blank" } }
    : {};
}

const attestationAdvice: FailureAdvice = {
  title: "Attestation required",
  advice: "Read and confirm the statement, then run again.",
  action: { label: "Open attestations", href: "/attestations" },
};

/** What a person can do about a failure, by its code. For other codes, the gateway's message. */
export function failureAdvice(failure: GatewayFailure): FailureAdvice {
  const known = adviceByCode[failure.code];
  if (known) return known(failure);
  if (failure.status === 429) {
    const wait = failure.retryAfterSeconds ? `Wait ${failure.retryAfterSeconds} s` : "Wait a moment";
    return {
      title: "Too many requests",
      advice: `${wait}, then try again. ${asSentence(failure.message)}`,
      action: { label: "About limits", href: guideHref("errors"), target: "_blank" },
    };
  }
  if (failure.status === 404) return { title: "Not found", advice: failure.message };
  if (failure.status >= 500)
    return {
      title: "Gateway error",
      advice: `Try again. If the error persists, send the request id to the operator. ${asSentence(failure.message)}`,
    };
  return {
    // The console itself refuses with status 0: nothing was sent.
    title: [0, 400].includes(failure.status) ? "Check your input" : "The gateway did not accept this input",
    advice: asSentence(failure.message),
  };
}
