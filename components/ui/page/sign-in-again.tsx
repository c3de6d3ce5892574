"use client";

import { signInAgainEvent } from "@/lib/browser/gateway";
import { Button } from "../button.tsx";

/** Opens the sign-in dialog over the page, which stays unchanged. */
export function SignInAgain() {
  return (
    <Button size="sm" onClick={() => window.dispatchEvent(new Event(signInAgainEvent))}>
      Sign in
    </Button>
  );
}
