"use client";

import { useQueryClient } from "@tanstack/react-query";
import { LogIn } from "lucide-react";
import { useEffect, useState } from "react";
import { relyingPartyOf } from "#contract/relying-party.ts";
import { SignInForm } from "@/components/auth/sign-in-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { usePageRouter } from "@/components/ui/use-place";
import { signInAgainEvent, tellSession } from "@/lib/browser/gateway";
import type { SessionView } from "@/lib/session-view";

/** Nothing is lost: signing in happens in a dialog over the page, which then goes on. */
export function SessionEnded({ kind }: { kind: SessionView["kind"] }) {
  const router = usePageRouter();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const onAsked = () => setOpen(true);
    window.addEventListener(signInAgainEvent, onAsked);
    return () => window.removeEventListener(signInAgainEvent, onAsked);
  }, []);

  const goOn = () => {
    setOpen(false);
    tellSession(200);
    router.refresh();
    void queries.invalidateQueries();
  };
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6">
      <p className="min-w-0 flex-1">Your session has expired. What you typed stays on this page.</p>
      <Button size="sm" icon={<LogIn size={14} aria-hidden />} onClick={() => setOpen(true)}>
        Sign in again
      </Button>
      {open && (
        <Dialog open onOpenChange={setOpen} title="Sign in again" size="sm">
          <SignInForm
            first={kind === "key" ? "key" : "password"}
            passkeys={relyingPartyOf(location.origin) !== null}
            onSignedIn={goOn}
          />
        </Dialog>
      )}
    </div>
  );
}
