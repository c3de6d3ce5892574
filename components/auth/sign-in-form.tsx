"use client";

import { Fingerprint } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { SecondFactorWay } from "#contract/accounts/second-factor.ts";
import { Button } from "@/components/ui/button";
import { Tabs } from "@/components/ui/tabs";
import { askPasskey, canOfferPasskeys } from "@/lib/browser/passkeys";
import { type Credentials, signIn } from "@/lib/browser/sign-in";
import { KeyForm } from "./key-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";

interface SignInFormProps {
  /** Called once the browser holds the session; without it, `returnTo` is loaded. */
  onSignedIn?: () => void;
  returnTo?: string;
  /** The way that is shown first. */
  first?: "password" | "key";
  sessionEnded?: boolean;
  /** Browsers allow passkeys at the console's address. */
  passkeys?: boolean;
}

/** E-mail and password with a second factor, a passkey, or a plain account key. */
export function SignInForm(props: SignInFormProps) {
  const { onSignedIn, returnTo = "/", first = "password", sessionEnded, passkeys = false } = props;
  const [way, setWay] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const [ways, setWays] = useState<SecondFactorWay[] | null>(null);
  const [asking, setAsking] = useState(false);

  const submit = async (credentials: Credentials) => {
    setProblem(null);
    const result = await signIn(credentials);
    if (!result.ok) {
      // Too late for the second step: the password is asked for again.
      if (result.ways || result.code === "sign_in_expired") setWays(result.ways);
      if (!result.ways) setProblem(result.message);
      return false;
    }
    // A full load: every server component must see the new cookie.
    if (onSignedIn) onSignedIn();
    else location.assign(returnTo);
    return true;
  };
  const submitPasskey = async (afterPassword: boolean) => {
    setProblem(null);
    const asked = await askPasskey({ afterPassword });
    if (!asked.ok) setProblem(asked.error.message);
    if (!asked.ok || asked.data === null) return false;
    return submit({ provider: afterPassword ? "second-factor" : "passkey", credential: asked.data });
  };
  usePasskeyAutofill(passkeys && !ways && !asking, (credential) =>
    submit({ provider: "passkey", credential }),
  );

  return (
    <>
      {sessionEnded && !problem && !ways && (
        <p role="status" className="mb-4 rounded-control bg-warn-soft p-3 text-ink">
          Your session has expired. Sign in to continue where you left off.
        </p>
      )}
      <div role="alert">
        {problem && <p className="mb-4 rounded-control bg-bad-soft p-3 font-medium text-bad">{problem}</p>}
      </div>
      {ways ? (
        <SecondFactorForm
          ways={ways}
          onCode={(code) => submit({ provider: "second-factor", code })}
          onPasskey={() => submitPasskey(true)}
          onBack={() => {
            setProblem(null);
            setWays(null);
          }}
        />
      ) : (
        <Tabs
          label="Sign-in method"
          value={way}
          onChange={(next) => {
            setProblem(null);
            setWay(next);
          }}
          tabs={[
            {
              value: "password",
              label: "E-mail",
              content: (
                <div className="flex flex-col gap-3">
                  <PasswordForm onSubmit={submit} />
                  {passkeys && (
                    <Button
                      busy={asking}
                      icon={<Fingerprint size={16} aria-hidden />}
                      onClick={async () => {
                        setAsking(true);
                        if (!(await submitPasskey(false))) setAsking(false);
                      }}
                    >
                      Use a passkey
                    </Button>
                  )}
                </div>
              ),
            },
            { value: "key", label: "Account key", content: <KeyForm onSubmit={submit} /> },
          ]}
        />
      )}
    </>
  );
}

/** Offers passkeys where the browser fills in the e-mail address; `use` gets what the chosen one signed. */
function usePasskeyAutofill(active: boolean, use: (credential: string) => void): void {
  const chosen = useEffectEvent(use);
  useEffect(() => {
    if (!active) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const offer = async () => {
      if (!(await canOfferPasskeys()) || signal.aborted) return;
      const asked = await askPasskey({ autofill: true, signal });
      // Without one the form is as good as before.
      if (!signal.aborted && asked.ok && asked.data !== null) chosen(asked.data);
    };
    void offer();
    return () => leaving.abort();
  }, [active]);
}
