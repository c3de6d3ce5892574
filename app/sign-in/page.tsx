import { LogIn } from "lucide-react";
import { redirect } from "next/navigation";
import { byName } from "#contract/by-name.ts";
import { OrDivider } from "@/components/auth/auth-frame";
import { SignInForm } from "@/components/auth/sign-in-form";
import { buttonLook } from "@/components/ui/looks";
import { Link } from "@/components/ui/page/link";
import { safeReturnPath } from "@/lib/paths";
import { passkeysBarredAt } from "@/lib/server/env";
import { getIdentityProvider, getSetupState } from "@/lib/server/gateway/sign-in";
import { currentSession } from "@/lib/server/session";
import { words } from "@/lib/server/words";
import { AuthPage } from "../auth-page.tsx";

export const generateMetadata = async () => ({ title: (await words("signIn"))("pageTitle") });

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
  const t = await words("signIn");
  const problem = await signInProblem(code);
  return (
    <AuthPage parts={["signIn", "signInProblems"]} title={t("pageTitle")} description={t("description")}>
      {problem && (
        <p role="alert" className="mb-4 rounded-control bg-bad-soft p-3 font-medium text-bad">
          {problem}
        </p>
      )}
      {reason === "set-up" && (
        <p role="status" className="mb-4 rounded-control bg-sunken p-3">
          {t("alreadySetUp")}
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
        {t("forgot")}{" "}
        {setup.ok && setup.data.email ? (
          <Link href="/forgot" className="text-accent hover:underline">
            {t("resetByEmail")}
          </Link>
        ) : (
          t("resetByColleague")
        )}
      </p>
    </AuthPage>
  );
}

/** Failures whose code means something else after the identity provider than at the form. */
const withProvider = byName<"provider_sign_in_expired">({ sign_in_expired: "provider_sign_in_expired" });

/** The problem that the sign-in page explains, or null. Its text never comes from the address. */
async function signInProblem(code: string | undefined): Promise<string | null> {
  if (code === undefined) return null;
  const problem = await words("signInProblems");
  const known = withProvider[code] ?? code;
  return problem(problem.has(known) && known !== "withCode" ? known : "other");
}

/** A link to the identity provider, which returns to `returnTo`. */
async function ProviderButton({ name, returnTo }: { name: string; returnTo: string }) {
  const t = await words("signIn");
  const fields = await words("fields");
  return (
    <>
      {/* A plain link: Next would prefetch it, and each fetch starts a sign-in. */}
      <a
        href={`/sign-in/provider?from=${encodeURIComponent(returnTo)}`}
        className={buttonLook("primary", "md", "w-full")}
      >
        <LogIn size={16} aria-hidden />
        {t("withProvider", { name })}
      </a>
      <OrDivider>{fields("or")}</OrDivider>
    </>
  );
}
