import type { GatewayFailure } from "../gateway/result.ts";

interface FailureAdvice {
  title: string;
  /** The mend first; then what happened. */
  advice: string;
  /** In a tab of its own where this page holds what was typed. */
  action?: { label: string; href: string; target?: "_blank" };
}

const adviceByCode: Record<string, (failure: GatewayFailure) => FailureAdvice> = {
  signed_out: () => ({
    title: "Sign in again",
    advice: "Your session has ended. What you typed stays on this page if you sign in in another tab.",
    action: { label: "Sign in", href: `/sign-in?reason=ended&from=${currentPath()}`, target: "_blank" },
  }),
  gateway_unreachable: (failure) => ({
    title: "The gateway cannot be reached",
    advice: `Check that it runs, then try again. ${failure.message}`,
  }),
  offline: () => ({
    title: "You are offline",
    advice: "Check your connection and try again; nothing was sent.",
  }),
  console_renewed: () => ({
    title: "Reload the page",
    advice: "The console was renewed since it was opened; nothing was sent. Copy what you typed first.",
  }),
  insufficient_scope: () => ({
    title: "This key may not do that",
    advice: "Sign in with a key that has the scope, or with e-mail and password.",
  }),
  user_session_required: () => ({
    title: "Only a signed-in person can do that",
    advice: "Sign in with e-mail and password; an account key is not enough.",
    action: { label: "Sign in", href: "/sign-in" },
  }),
  adult_attestation_required: () => attestationAdvice,
  portrait_rights_attestation_required: () => attestationAdvice,
  budget_exceeded: () => ({
    title: "The budget of this key is used up",
    advice: "Raise the key's budget or use another key.",
    action: { label: "Open keys", href: "/keys" },
  }),
  endpoint_disabled: () => ({
    title: "Enable the endpoint first",
    advice: "A disabled endpoint receives nothing; what waits is sent once it is enabled.",
  }),
  route_not_found: () => ({
    title: "This gateway does not offer that",
    advice: "The page needs an extension that is switched off on this gateway.",
  }),
  no_healthy_region: () => ({
    title: "Try again in a minute",
    advice: "No region of this model is healthy right now.",
  }),
};

const attestationAdvice: FailureAdvice = {
  title: "An attestation is missing",
  advice: "Read and confirm the statement once; then run again.",
  action: { label: "Open attestations", href: "/attestations" },
};

/** As a query has it; home on the server, where a session that has ended leads to the sign-in page anyway. */
function currentPath(): string {
  return encodeURIComponent(typeof window === "undefined" ? "/" : location.pathname + location.search);
}

/** What a person can do about a failure. The code decides; the gateway's own words are the fallback. */
export function failureAdvice(failure: GatewayFailure): FailureAdvice {
  const known = adviceByCode[failure.code];
  if (known) return known(failure);
  if (failure.status === 429) {
    const wait = failure.retryAfterSeconds ? `Wait ${failure.retryAfterSeconds} s` : "Wait a moment";
    return { title: "Too many requests", advice: `${wait}, then try again. ${failure.message}` };
  }
  if (failure.status === 404) return { title: "Not found", advice: failure.message };
  if (failure.status >= 500)
    return {
      title: "The gateway failed",
      advice: `Try again; if it stays, quote the request id. ${failure.message}`,
    };
  return { title: "That did not work", advice: failure.message };
}
