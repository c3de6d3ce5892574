"use client";

import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { SecretField } from "./secret-field.tsx";

interface SecretDialogProps {
  /** The secret while it can be seen; null closes the dialog. */
  secret: string | null;
  /** What it is, e.g. "signing secret". */
  name: string;
  /** The variable of the `.env` line, e.g. `WEBHOOK_SECRET`. */
  envName: string;
  /** What else to know now, e.g. how long the old secret keeps working. */
  note?: ReactNode;
  /** The owner of the secret drops it here: nothing else holds it. */
  onDone: () => void;
}

/** Shows a secret the one time that it can be seen, and cannot be left by accident. */
export function SecretDialog({ secret, ...rest }: SecretDialogProps) {
  // The inside goes away with the secret, so a later one starts masked and unticked.
  return secret === null ? null : <OpenSecretDialog secret={secret} {...rest} />;
}

function OpenSecretDialog({ secret, name, envName, note, onDone }: SecretDialogProps & { secret: string }) {
  const [stored, setStored] = useState(false);
  const [leaving, setLeaving] = useState(false);
  // With the tick nothing can be lost: there is nothing to ask.
  const attempt = () => (stored ? void close() : setLeaving(true));
  const release = useLeaveGuard(true, attempt);
  const close = async () => {
    await release();
    onDone();
  };
  return (
    <Dialog
      open
      onOpenChange={attempt}
      dismissible={false}
      onDismissAttempt={attempt}
      title={`Store the ${name} now`}
      description="It is shown only once and cannot be retrieved later."
      footer={
        leaving ? (
          <LeaveQuestion name={name} onStay={() => setLeaving(false)} onLeave={close} />
        ) : (
          <Button variant="primary" disabled={!stored} onClick={close}>
            Done
          </Button>
        )
      }
    >
      <div className="space-y-4">
        <SecretField secret={secret} name={name} envName={envName} />
        {note && <div className="text-base text-ink">{note}</div>}
        <Checkbox
          label="I have stored it in a safe place"
          checked={stored}
          onChange={(event) => {
            setStored(event.currentTarget.checked);
            setLeaving(false);
          }}
        />
      </div>
    </Dialog>
  );
}

function LeaveQuestion(props: { name: string; onStay: () => void; onLeave: () => void }) {
  return (
    <div role="alert" className="flex w-full flex-wrap items-center justify-end gap-2">
      <p className="min-w-48 flex-1 text-base text-ink">
        Leave without the {props.name}? It cannot be shown again. You would have to create a new one.
      </p>
      <Button variant="danger" onClick={props.onLeave}>
        Close without saving
      </Button>
      <Button variant="primary" autoFocus onClick={props.onStay}>
        Go back
      </Button>
    </div>
  );
}

const guardMark = "gatehouseGuard";

function isGuarded(): boolean {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null && guardMark in state;
}

/**
 * While `active`, Back and reload ask first. One extra history entry represents the page;
 * `release` takes it away again and resolves when it is gone.
 */
function useLeaveGuard(active: boolean, onAttempt: () => void): () => Promise<void> {
  const attempt = useRef(onAttempt);
  attempt.current = onAttempt;
  const released = useRef(false);
  useUnloadWarning(active);

  useEffect(() => {
    if (!active) return;
    released.current = false;
    const push = () => {
      if (!isGuarded()) window.history.pushState({ ...window.history.state, [guardMark]: true }, "");
    };
    const onPopState = () => {
      if (released.current) return;
      push();
      attempt.current();
    };
    push();
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
  }, [active]);

  return useCallback(() => {
    released.current = true;
    if (!isGuarded()) return Promise.resolve();
    return new Promise((done) => {
      window.addEventListener("popstate", () => done(), { once: true });
      window.history.back();
    });
  }, []);
}
