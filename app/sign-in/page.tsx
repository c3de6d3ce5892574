import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { ProviderButton } from "@/components/auth/provider-button";
import { SignInForm } from "@/components/auth/sign-in-form";
import { Link } from "@/components/ui/page/link";
import { safeReturnPath } from "@/lib/return-path";
import { passkeysBarredAt } from "@/lib/server/env";
import { getIdentityProvider } from "@/lib/server/gateway/provider-sign-in";
import { getSetupState } from "@/lib/server/gateway/sign-in";
import { currentSession } from "@/lib/server/session";
import { signInProblem } from "@/lib/sign-in-problems";

export const metadata: Metadata = { title: "Sign in" };

interface Props {
  searchParams: Promise<{ from?: string | string[]; reason?: string; problem?: string }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { from, reason, problem: code } = await searchParams;
  const returnTo = safeReturnPath(typeof from === "string" ? from : null);
  // A cookie whose session the gateway has ended leads here: show the form, because redirecting would loop.
  if (reason !== "ended" && code === undefined && (await currentSession())) redirect(returnTo);
  const [setup, provider] = await Promise.all([getSetupState(), getIdentityProvider()]);
  if (setup.ok && setup.data.needed) redirect("/setup");
  const problem = signInProblem(code);
  return (
    <AuthFrame title="Sign in" description="to your gateway's console">
      {problem && (
        <p role="alert" className="mb-4 rounded-control bg-bad-soft p-3 font-medium text-bad">
          {problem}
        </p>
      )}
      {reason === "set-up" && (
        <p role="status" className="mb-4 rounded-control bg-sunken p-3">
          Gatehouse is set up already: its set-up link works once. Sign in with the account that was created.
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
            Set a new one by e-mail
          </Link>
        ) : (
          "An owner or admin of your account can create a reset link for you."
        )}
      </p>
    </AuthFrame>
  );
}
