"use client";

import { useState } from "react";
import { LinkButton } from "@/components/ui/button";
import { Tabs } from "@/components/ui/tabs";
import { type Credentials, signIn } from "@/lib/browser/sign-in";
import { KeyForm } from "./key-form.tsx";
import { PasswordForm } from "./password-form.tsx";

interface SignInFormProps {
  returnTo: string;
  sessionEnded: boolean;
  setupNeeded: boolean;
  /** The gateway supports only account keys, not users. */
  keysOnly: boolean;
}

/** E-mail and password, or a plain account key. */
export function SignInForm({ returnTo, sessionEnded, setupNeeded, keysOnly }: SignInFormProps) {
  const [way, setWay] = useState<"password" | "key">("password");
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (credentials: Credentials) => {
    setProblem(null);
    const result = await signIn(credentials);
    // A full load: every server component must see the new cookie.
    if (result.ok) location.assign(returnTo);
    else setProblem(result.error.message);
    return result.ok;
  };

  return (
    <>
      {setupNeeded && (
        <div className="mb-4 flex flex-col gap-2 rounded-control bg-accent-soft p-3">
          <p>
            This gateway has no owner yet. Open the one-time set-up link shown in its terminal at the first
            start.
          </p>
          <LinkButton href="/setup" size="sm" className="self-start">
            Enter set-up token
          </LinkButton>
        </div>
      )}
      {sessionEnded && !problem && (
        <p role="status" className="mb-4 rounded-control bg-warn-soft p-3 text-ink">
          Your session has expired. Sign in to continue where you left off.
        </p>
      )}
      <div role="alert">
        {problem && <p className="mb-4 rounded-control bg-bad-soft p-3 font-medium text-bad">{problem}</p>}
      </div>
      {keysOnly ? (
        <KeyForm onSubmit={submit} />
      ) : (
        <Tabs
          label="Sign-in method"
          value={way}
          onChange={(next) => {
            setProblem(null);
            setWay(next);
          }}
          tabs={[
            { value: "password", label: "E-mail", content: <PasswordForm onSubmit={submit} /> },
            { value: "key", label: "Account key", content: <KeyForm onSubmit={submit} /> },
          ]}
        />
      )}
    </>
  );
}
