import { LogIn } from "lucide-react";
import { redirect } from "next/navigation";
import { byName } from "#contract/by-name.ts";
import { AuthFrame, OrDivider } from "@/components/auth/auth-frame";
import { SignInForm } from "@/components/auth/sign-in-form";
import { buttonLook } from "@/components/ui/looks";
import { Link } from "@/components/ui/page/link";
import { safeReturnPath } from "@/lib/paths";
import { passkeysBarredAt } from "@/lib/server/env";
import { getIdentityProvider, getSetupState } from "@/lib/server/gateway/sign-in";
import { currentSession } from "@/lib/server/session";

export const metadata = { title: "Sign in" };

interface Props {
  searchParams: Promise<{ from?: string | string[]; reason?: string; problem?: string }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { from, reason, problem: code } = await searchParams;
  const returnTo = safeReturnPath(typeof from === "string" ? from : null);
  // If the gateway has ended the session in the cookie, the console redirects to this page with
  // `reason=ended`. Redirecting back would loop, so the page shows the form.
  if (reason !== "ended" && code === undefined && (await currentSession())) redirect(returnTo);
  const [setup, provider] = await Promise.all([getSetupState(), getIdentityProvider()]);
  if (setup.ok && setup.data.needed) redirect("/setup");
  const problem = signInProblem(code);
  return (
    <AuthFrame
      title="Sign in"
      description="Run models, and see what ran, what it cost and where its results are."
    >
      {problem && (
        <p role="alert" className="mb-4 rounded-control bg-bad-soft p-3 font-medium text-bad">
          {problem}
        </p>
      )}
      {reason === "set-up" && (
        <p role="status" className="mb-4 rounded-control bg-sunken p-3">
          Gatehouse is already set up, and its set-up link works only once. Sign in with the account that was
          created.
        </p>
      )}
      {provider.ok && provider.data.name !== null && (
        <ProviderButton name={provider.data.name} returnTo={returnTo} />
      )}
      <SignInForm
        returnTo={returnTo}
        sessionEnded={reason === "ended"}
        passkeys={passkeysBarredAt() === null}
      />
      <p className="mt-4 text-meta text-muted">
        Forgot your password?{" "}
        {setup.ok && setup.data.email ? (
          <Link href="/forgot" className="text-accent hover:underline">
            Reset it by e-mail
          </Link>
        ) : (
          "An owner or admin of your account can create a reset link for you."
        )}
      </p>
    </AuthFrame>
  );
}

/** Why signing in through the identity provider failed, by the code in the address. */
const problems = byName<string>({
  sign_in_expired: "The sign-in took longer than ten minutes or was already completed. Start again.",
  provider_sign_in_failed: "The identity provider's answer could not be verified. Start again.",
  provider_sign_in_refused:
    "The identity provider does not give you access to this gateway. Ask a colleague for an invitation.",
  provider_not_configured: "Signing in with an identity provider is not set up on this gateway.",
  email_taken:
    "A person with your e-mail address already exists. If that is you, sign in as before and link the provider in your settings.",
  identity_taken: "This identity at the provider is already linked to another person.",
  invitation_not_for_you:
    "The invitation is for another e-mail address than yours at the identity provider. Ask for a new invitation.",
  invitation_used: "The invitation was already accepted. Sign in instead.",
  invitation_expired: "The invitation has expired. Ask for a new link.",
  member_exists: "You are already a member of that account. Sign in instead.",
  account_suspended: "That account is suspended, so nobody can join it.",
  network_not_allowed: "You cannot sign in from your network. Ask an owner of your account, or the operator.",
  account_closing: "That account will be deleted, so nobody can join it.",
  account_not_found: "You are not a member of any account. Ask a colleague for an invitation.",
  operator_required: "Only operators of this installation can do this.",
  service_unavailable: "The identity provider cannot be reached. Try again in a moment.",
  rate_limit_exceeded: "Too many sign-ins were started. Wait a minute, then try again.",
  gateway_unreachable: "The gateway cannot be reached. Check that it is running, then try again.",
});

/** The problem that the sign-in page explains, or null. Its text never comes from the address. */
function signInProblem(code: string | undefined): string | null {
  if (code === undefined) return null;
  return (Object.hasOwn(problems, code) && problems[code]) || "Sign-in failed. Try again.";
}

/** A link to the identity provider, which returns to `returnTo`. */
function ProviderButton({ name, returnTo }: { name: string; returnTo: string }) {
  return (
    <>
      {/* A plain link: Next would prefetch it, and each fetch starts a sign-in. */}
      <a
        href={`/sign-in/provider?from=${encodeURIComponent(returnTo)}`}
        className={buttonLook("primary", "md", "w-full")}
      >
        <LogIn size={16} aria-hidden />
        Sign in with {name}
      </a>
      <OrDivider />
    </>
  );
}
