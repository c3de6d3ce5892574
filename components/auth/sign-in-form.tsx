"use client";

import { useState } from "react";
import { Tabs } from "@/components/ui/tabs";
import { type Credentials, signIn } from "@/lib/browser/sign-in";
import { KeyForm } from "./key-form.tsx";
import { PasswordForm } from "./password-form.tsx";

interface SignInFormProps {
  /** Called once the browser holds the session; without it, `returnTo` is loaded. */
  onSignedIn?: () => void;
  returnTo?: string;
  /** The way that is shown first. */
  first?: "password" | "key";
  sessionEnded?: boolean;
  /** The gateway supports only account keys, not users. */
  keysOnly?: boolean;
}

/** E-mail and password, or a plain account key. */
export function SignInForm(props: SignInFormProps) {
  const { onSignedIn, returnTo = "/", first = "password", sessionEnded, keysOnly } = props;
  const [way, setWay] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (credentials: Credentials) => {
    setProblem(null);
    const result = await signIn(credentials);
    // A full load: every server component must see the new cookie.
    if (!result.ok) setProblem(result.error.message);
    else if (onSignedIn) onSignedIn();
    else location.assign(returnTo);
    return result.ok;
  };

  return (
    <>
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
