"use client";

import { useState } from "react";
import { relyingPartyOf } from "#contract/accounts/relying-party.ts";
import { Button } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOutsideSession } from "@/lib/browser/action-answer";
import type { GatewayResult } from "@/lib/gateway/result";
import { SignInForm } from "./sign-in-form.tsx";

interface JoinAsKnownProps {
  email: string;
  accountName: string;
  isSignedIn: boolean;
  join: () => Promise<GatewayResult<string>>;
}

/** Somebody who has an account here already joins with one click, after signing in if they have not. */
export function JoinAsKnown({ email, accountName, isSignedIn, join }: JoinAsKnownProps) {
  const [signedIn, setSignedIn] = useState(isSignedIn);
  const { busy, failure, send } = useSend();

  const accept = async () => {
    const result = await send(() => answerOutsideSession(join()), { leaves: true });
    if (result.ok) return location.replace(result.data);
    if (result.error.code === "invitation_not_for_you" || result.error.status === 401) setSignedIn(false);
  };

  return (
    <>
      {failure && <ErrorPanel error={failure} />}
      {signedIn ? (
        <Button variant="primary" busy={busy} onClick={accept}>
          Join {accountName}
        </Button>
      ) : (
        <>
          <p className="text-muted wrap-anywhere">Sign in as {email} to join.</p>
          <SignInForm
            passkeys={relyingPartyOf(location.origin) !== null}
            onSignedIn={() => {
              setSignedIn(true);
              void accept();
            }}
          />
        </>
      )}
    </>
  );
}
