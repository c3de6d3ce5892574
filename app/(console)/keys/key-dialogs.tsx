"use client";

import { useState } from "react";
import type { ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { GuideLink } from "@/components/guides/guide-link";
import { BudgetDialog } from "@/components/keys/budget-dialog";
import { CreateKeyDialog } from "@/components/keys/create-key-dialog";
import type { KeyRequest } from "@/components/keys/key-row";
import { OriginsDialog } from "@/components/keys/origins-dialog";
import { RotateKeyDialog } from "@/components/keys/rotate-key-dialog";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { useToast } from "@/components/ui/toast";
import { SecretDialog } from "@/components/webhooks/secret/secret-dialog";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { ActionResult } from "@/lib/gateway/result";
import { replaceKey } from "@/lib/gateway/secret-actions";
import { keyVariable } from "@/lib/key-variable";

export type KeyQuestion = { about: "create" } | KeyRequest;

interface KeyDialogsProps {
  question: KeyQuestion;
  modelIds: string[];
  onClose: () => void;
  /** Called after the change, once its secret (if any) was shown. */
  onChanged: () => void;
}

/** Every dialog about a key, loaded as one chunk so that a new key is shown without delay. */
export function KeyDialogs({ question, modelIds, onClose, onChanged }: KeyDialogsProps) {
  const { toast } = useToast();
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, failure, send } = useSend();
  const show = (key: ApiKeyWithSecret) => setSecret(key.secret);

  /** Runs a change; on failure the dialog stays open and shows it. */
  const change = async <Data,>(call: ActionResult<Data>, done: (data: Data) => void) => {
    const answer = await send(() => answerOf(call));
    if (answer.ok) done(answer.data);
  };

  if (secret !== null)
    return (
      <SecretDialog
        secret={secret}
        name="account key"
        envName={keyVariable}
        note={
          <GuideLink to="first-call" newTab>
            How to make the first call
          </GuideLink>
        }
        onDone={onChanged}
      />
    );
  if (question.about === "create")
    return <CreateKeyDialog open modelIds={modelIds} onCreated={show} onClose={onClose} />;
  const { key } = question;
  const of = { params: { id: key.id } };
  if (question.about === "budget")
    return (
      <BudgetDialog
        holder={key}
        save={(budgets) => act("PATCH /keys/{id}", { ...of, body: budgets })}
        onSaved={() => {
          toast({ title: "Budgets changed" });
          onChanged();
        }}
        onClose={onClose}
      />
    );
  if (question.about === "origins")
    return (
      <OriginsDialog
        apiKey={key}
        save={(origins) => act("PATCH /keys/{id}", { ...of, body: { allowed_origins: origins } })}
        onSaved={() => {
          toast({ title: "Origins changed" });
          onChanged();
        }}
        onClose={onClose}
      />
    );
  if (question.about === "rotate")
    return (
      <RotateKeyDialog
        name={key.name}
        busy={busy}
        failure={failure}
        onClose={onClose}
        onRotate={(graceSeconds) => change(replaceKey(key.id, graceSeconds), show)}
      />
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Revoke this key?"
      body={`Programs that use “${key.name}” will stop working within a second. This cannot be undone.`}
      confirmLabel="Revoke key"
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={() =>
        change(act("DELETE /keys/{id}", of), () => {
          toast({ title: "Key revoked" });
          onChanged();
        })
      }
    />
  );
}
