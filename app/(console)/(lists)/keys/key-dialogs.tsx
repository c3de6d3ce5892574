"use client";

import { useState } from "react";
import type { KeyContents } from "#contract/accounts/constants.ts";
import type { ApiKey, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { GuideLink } from "@/components/guides/guide-link";
import { BudgetDialog } from "@/components/keys/budget-dialog";
import { ContentsChoice } from "@/components/keys/contents-choice";
import { CreateKeyDialog, NetworksField, OriginsField } from "@/components/keys/create-key-dialog";
import type { KeyRequest } from "@/components/keys/key-row";
import { linesOf } from "@/components/keys/key-values";
import { LimitKeyDialog } from "@/components/keys/limit-key-dialog";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { Chosen } from "@/components/ui/form/bound-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useToast } from "@/components/ui/toast";
import { SecretDialog } from "@/components/webhooks/secret/secret-dialog";
import { answerOf, settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { replaceKey } from "@/lib/gateway/secret-actions";
import { keyVariable } from "@/lib/key-variable";

export type KeyQuestion = { about: "create" } | KeyRequest;

interface KeyDialogsProps {
  question: KeyQuestion;
  modelIds: string[];
  currency: string;
  onClose: () => void;
  /** Called after the change, and after its secret (if any) was shown. */
  onChanged: () => void;
}

const graces = [
  { value: "86400", label: "24 hours", hint: "For a planned change." },
  { value: "3600", label: "1 hour", hint: "For a change that is ready to roll out." },
  { value: "604800", label: "7 days", hint: "For several programs updated one at a time." },
  { value: "0", label: "None", hint: "For a key that has leaked. It stops working within a second." },
] as const;

/** Every dialog about a key. They are loaded as one chunk, so that a new key is shown without delay. */
export function KeyDialogs({ question, modelIds, currency, onClose, onChanged }: KeyDialogsProps) {
  const { toast } = useToast();
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, failure, send } = useSend();
  const show = (key: ApiKeyWithSecret) => setSecret(key.secret);

  /** Makes a change. If it fails, the dialog stays open and shows the error. */
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
    return <CreateKeyDialog modelIds={modelIds} currency={currency} onCreated={show} onClose={onClose} />;
  const { key } = question;
  const of = { params: { id: key.id } };
  if (question.about === "limits")
    return <LimitKeyDialog apiKey={key} onClose={onClose} onChanged={onChanged} />;
  if (question.about === "budget")
    return (
      <BudgetDialog
        holder={key}
        currency={currency}
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
  if (question.about === "networks")
    return (
      <ResourceDialog
        title={`Networks of “${key.name}”`}
        description="The networks of the account apply as well. Changes apply within a second."
        defaults={{ networks: (key.networks ?? []).join("\n") }}
        names={["networks"]}
        submitLabel="Save networks"
        save={({ networks }) =>
          settle(act("PATCH /keys/{id}", { ...of, body: { networks: linesOf(networks) } }), () => {
            toast({ title: "Networks changed" });
            onChanged();
          })
        }
        onClose={onClose}
      >
        {() => <NetworksField />}
      </ResourceDialog>
    );
  if (question.about === "contents")
    return (
      <ContentsDialog
        apiKey={key}
        save={(contents) => act("PATCH /keys/{id}", { ...of, body: { contents } })}
        onSaved={() => {
          toast({ title: "Contents changed" });
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

interface RotateKeyDialogProps {
  name: string;
  busy: boolean;
  /** Why no new secret was created. */
  failure: GatewayFailure | null;
  onClose: () => void;
  onRotate: (graceSeconds: number) => void;
}

type Grace = (typeof graces)[number]["value"];

/** Creates a new secret with the same name and limits. The old one stays valid for a grace period. */
function RotateKeyDialog({ name, busy, failure, onClose, onRotate }: RotateKeyDialogProps) {
  const [grace, setGrace] = useState<Grace>("86400");
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={`Rotate “${name}”?`}
      description="A new key with the same name and limits is created and shown only once. Have a safe place ready to store the key."
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(grace))}>
            Create new key
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <RadioGroup legend="Keep the old key valid for" options={graces} value={grace} onChange={setGrace} />
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}

interface OriginsDialogProps {
  apiKey: ApiKey;
  save: (origins: string[] | null) => ActionResult<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

/** Sets the origins of pages that may use a key. Without an origin, browsers may not use the key. */
function OriginsDialog({ apiKey, save, onSaved, onClose }: OriginsDialogProps) {
  return (
    <ResourceDialog
      title={`Origins of “${apiKey.name}”`}
      description="Without an origin, no web page can use this key, but programs still can. Changes apply within a second."
      defaults={{ allowed_origins: (apiKey.allowed_origins ?? []).join("\n") }}
      submitLabel="Save origins"
      save={({ allowed_origins: text }) => settle(save(linesOf(text)), onSaved)}
      onClose={onClose}
    >
      {() => <OriginsField />}
    </ResourceDialog>
  );
}

interface ContentsDialogProps {
  apiKey: ApiKey;
  save: (contents: KeyContents) => ActionResult<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

/** Sets whether the account keeps what calls with a key said. */
function ContentsDialog({ apiKey, save, onSaved, onClose }: ContentsDialogProps) {
  const { keepsContents, may } = useAccess();
  return (
    <ResourceDialog<{ contents: KeyContents }>
      title={`Contents of “${apiKey.name}”`}
      description="For calls from now on. What was kept stays until its time is over."
      // `on` can be saved only where the account keeps those of chosen keys.
      defaults={{
        contents: keepsContents === "all" && apiKey.contents === "on" ? "inherit" : apiKey.contents,
      }}
      submitLabel="Save contents"
      save={({ contents }) => settle(save(contents), onSaved)}
      onClose={onClose}
    >
      {(form) =>
        keepsContents === "off" ? (
          <p className="text-muted">This account keeps no contents any more.</p>
        ) : (
          <Chosen form={form} name="contents">
            {(field) => <ContentsChoice {...field} rule={keepsContents} manages={may("keys:manage")} />}
          </Chosen>
        )
      }
    </ResourceDialog>
  );
}
