import { Button, LinkButton } from "@/components/ui/button";
import type { SessionView } from "@/lib/session-view";

interface SignedInAsAnotherProps {
  session: Pick<SessionView, "kind" | "name" | "email">;
  /** Whom the invitation is for. */
  email: string;
  onContinue: () => void;
}

/** Joining as somebody else ends the session of this browser, so it is asked before. */
export function SignedInAsAnother({ session, email, onContinue }: SignedInAsAnotherProps) {
  const { kind, name } = session;
  const who = kind === "key" ? `with the key “${name}”` : `as ${name} (${session.email})`;
  return (
    <div className="flex flex-col gap-3 rounded-control bg-warn-soft p-3 text-ink">
      <p className="wrap-anywhere">
        You are signed in {who}. The invitation is for <b>{email}</b>. If you join as {email}, that session
        ends in this browser.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onContinue}>
          Join as {email}
        </Button>
        <LinkButton href="/">Stay signed in</LinkButton>
      </div>
    </div>
  );
}
