import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SignInForm } from "@/components/auth/sign-in-form";
import { safeReturnPath } from "@/lib/return-path";
import { getSetupState } from "@/lib/server/gateway/sign-in";
import { currentSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Sign in" };

interface Props {
  searchParams: Promise<{ from?: string | string[]; reason?: string }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { from, reason } = await searchParams;
  const returnTo = safeReturnPath(typeof from === "string" ? from : null);
  // A cookie whose session the gateway has ended leads here: show the form, because redirecting would loop.
  if (reason !== "ended" && (await currentSession())) redirect(returnTo);
  const setup = await getSetupState();
  if (setup.ok && setup.data.needed) redirect("/setup");
  const keysOnly = !setup.ok && setup.error.code === "route_not_found";
  return (
    <AuthFrame title="Sign in" description="to your gateway's console">
      <SignInForm returnTo={returnTo} sessionEnded={reason === "ended"} keysOnly={keysOnly} />
      {!keysOnly && (
        <p className="mt-4 text-meta text-muted">
          Forgot your password? An owner or admin of your account can make you a link for a new one.
        </p>
      )}
    </AuthFrame>
  );
}
