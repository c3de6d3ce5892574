"use client";

import { useState } from "react";
import type { KeyContents } from "#contract/accounts/constants.ts";
import type { ApiKey, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { useWords } from "#words";
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
  { value: "86400", label: "grace24Hours", hint: "forAPlannedChange" },
  { value: "3600", label: "grace1Hour", hint: "forAReadyChange" },
  { value: "604800", label: "grace7Days", hint: "forSeveralPrograms" },
  { value: "0", label: "noGrace", hint: "forALeakedKey" },
] as const;

/** Every dialog about a key. They are loaded as one chunk, so that a new key is shown without delay. */
export function KeyDialogs({ question, modelIds, currency, onClose, onChanged }: KeyDialogsProps) {
  const t = useWords("keys");
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
        name={t("accountKey")}
        envName={keyVariable}
        note={
          <GuideLink to="first-call" newTab>
            {t("howToMakeTheFirst")}
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
          toast({ title: t("budgetsChanged") });
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
          toast({ title: t("originsChanged") });
          onChanged();
        }}
        onClose={onClose}
      />
    );
  if (question.about === "networks")
    return (
      <ResourceDialog
        title={t("networksOfName", { name: key.name })}
        description={t("theNetworksOfTheAccount")}
        defaults={{ networks: (key.networks ?? []).join("\n") }}
        names={["networks"]}
        submitLabel={t("saveNetworks")}
        save={({ networks }) =>
          settle(act("PATCH /keys/{id}", { ...of, body: { networks: linesOf(networks) } }), () => {
            toast({ title: t("networksChanged") });
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
          toast({ title: t("contentsChanged") });
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
      title={t("revokeThisKey")}
      body={t("programsStop", { name: key.name })}
      confirmLabel={t("revokeKey")}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={() =>
        change(act("DELETE /keys/{id}", of), () => {
          toast({ title: t("keyRevoked") });
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
  const t = useWords("keys");
  const [grace, setGrace] = useState<Grace>("86400");
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={t("rotateName", { name })}
      description={t("aNewKeyWithThe")}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(grace))}>
            {t("createNewKey")}
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <RadioGroup
          legend={t("keepTheOldKeyValid")}
          options={graces.map(({ value, label, hint }) => ({ value, label: t(label), hint: t(hint) }))}
          value={grace}
          onChange={setGrace}
        />
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
  const t = useWords("keys");
  return (
    <ResourceDialog
      title={t("originsOfName", { name: apiKey.name })}
      description={t("withoutAnOriginNoWeb")}
      defaults={{ allowed_origins: (apiKey.allowed_origins ?? []).join("\n") }}
      submitLabel={t("saveOrigins")}
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
  const t = useWords("keys");
  const { keepsContents, may } = useAccess();
  return (
    <ResourceDialog<{ contents: KeyContents }>
      title={t("contentsOfName", { name: apiKey.name })}
      description={t("forCallsFromNowOn")}
      // `on` can be saved only where the account keeps those of chosen keys.
      defaults={{
        contents: keepsContents === "all" && apiKey.contents === "on" ? "inherit" : apiKey.contents,
      }}
      submitLabel={t("saveContents")}
      save={({ contents }) => settle(save(contents), onSaved)}
      onClose={onClose}
    >
      {(form) =>
        keepsContents === "off" ? (
          <p className="text-muted">{t("thisAccountKeepsNoContents")}</p>
        ) : (
          <Chosen form={form} name="contents">
            {(field) => <ContentsChoice {...field} rule={keepsContents} manages={may("keys:manage")} />}
          </Chosen>
        )
      }
    </ResourceDialog>
  );
}
