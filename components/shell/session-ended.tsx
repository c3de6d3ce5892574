"use client";

import { LogIn, RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { relyingPartyOf } from "#contract/accounts/relying-party.ts";
import { useWords } from "#words";
import { SignInForm } from "@/components/auth/sign-in-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { signInAgainEvent } from "@/lib/browser/gateway";
import { isAnotherPerson, recordSession, type SessionState } from "@/lib/browser/session";
import { notifyOtherPages } from "@/lib/browser/watch-session";
import type { SessionView } from "@/lib/person";
import { bracketed } from "@/messages/marks";

interface SessionEndedProps {
  /** How the visitor signed in. */
  kind: SessionView["kind"];
  state: Exclude<SessionState, "open">;
}

/** Nothing is lost: the page is hidden while the person signs in in a dialog, and then continues. */
export function SessionEnded({ kind, state }: SessionEndedProps) {
  const t = useWords("shell");
  // An open dialog of the page would make the button below unreachable.
  const [behindDialog] = useState(() => document.querySelector("dialog:modal") !== null);
  const [open, setOpen] = useState(behindDialog);

  useEffect(() => {
    const onSignInAgain = () => setOpen(true);
    window.addEventListener(signInAgainEvent, onSignInAgain);
    return () => window.removeEventListener(signInAgainEvent, onSignInAgain);
  }, []);

  const resume = () => {
    notifyOtherPages();
    // Another person has signed in on this page on purpose, so the page is reloaded for them.
    if (isAnotherPerson()) return window.location.reload();
    setOpen(false);
    recordSession(200);
  };
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6">
      <p className="min-w-0 flex-1">{state === "ended" ? t("sessionExpired") : <SignedInNow />}</p>
      {state === "another" && (
        <Button size="sm" icon={<RotateCw size={14} aria-hidden />} onClick={() => window.location.reload()}>
          {t("reloadPage")}
        </Button>
      )}
      <Button size="sm" icon={<LogIn size={14} aria-hidden />} onClick={() => setOpen(true)}>
        {t("signInAgain")}
      </Button>
      {open && (
        <Dialog
          open
          onOpenChange={setOpen}
          dismissible={!behindDialog}
          title={t("signInAgain")}
          size="sm"
          {...(state === "another" && { description: <SignedInNow /> })}
        >
          <SignInForm
            first={kind === "key" ? "key" : "password"}
            passkeys={relyingPartyOf(location.origin) !== null}
            onSignedIn={resume}
          />
        </Dialog>
      )}
    </div>
  );
}

/** Names the person who signed in in another tab. */
function SignedInNow() {
  const t = useWords("shell");
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    const left = new AbortController();
    fetch("/api/auth/session", { cache: "no-store", signal: left.signal })
      .then((answer) => answer.json())
      .then(({ user }: { user?: { name?: string | null; email?: string | null } }) =>
        setName(
          user?.name && user.email
            ? bracketed(t.language, user.name, user.email)
            : user?.name || user?.email || null,
        ),
      )
      .catch(() => {});
    return () => left.abort();
  }, [t.language]);
  return t("nowSignedIn", { name: name ?? "none" });
}
