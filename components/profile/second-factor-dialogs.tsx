"use client";

import { Check, Copy, Download } from "lucide-react";
import { useState } from "react";
import { appCode, personFields } from "#contract/accounts/constants.ts";
import type { Passkey, SecondFactor, TotpSetup } from "#contract/accounts/second-factor.ts";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { wholePattern } from "@/components/ui/form/field";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { answerOf } from "@/lib/browser/action-answer";
import { copyText } from "@/lib/browser/copy-text";
import { makePasskey } from "@/lib/browser/passkeys";
import { saveTextFile } from "@/lib/browser/save-file";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";
import {
  beginPasskey,
  beginTotp,
  confirmTotp,
  createPasskey,
  renewCodes,
} from "@/lib/gateway/secret-actions";
import { ChangeDialog, proofOf } from "./change-dialog.tsx";

export type SecondFactorQuestion =
  | { about: "add-passkey" | "set-up-totp" | "remove-totp" | "renew-codes" }
  | { about: "rename-passkey" | "remove-passkey"; passkey: Passkey };

interface SecondFactorDialogsProps {
  question: SecondFactorQuestion;
  state: SecondFactor;
  onClose: () => void;
  /** Called after the change, and after its recovery codes (if any) were shown. */
  onChanged: (news: string) => void;
}

/**
 * Every dialog about the second factor, then the recovery codes. They are one chunk, so that the codes are
 * shown without delay.
 */
export function SecondFactorDialogs(props: SecondFactorDialogsProps) {
  const { question, state, onClose, onChanged } = props;
  const { busy, failure, send } = useSend();
  const [codes, setCodes] = useState<{ codes: string[]; news: string } | null>(null);
  const show = (news: string) => (made: string[] | null) =>
    made ? setCodes({ codes: made, news }) : onChanged(news);

  if (codes) return <RecoveryCodesDialog codes={codes.codes} onDone={() => onChanged(codes.news)} />;
  if (question.about === "add-passkey")
    return <AddPasskeyDialog {...{ state, onClose }} onAdded={show("Passkey added")} />;
  if (question.about === "set-up-totp")
    return <TotpDialog {...{ state, onClose }} onAdded={show("Authenticator app set up")} />;
  if (question.about === "rename-passkey")
    return <RenamePasskeyDialog onClose={onClose} passkey={question.passkey} onDone={onChanged} />;

  const isLast = state.passkeys.length + (state.totp ? 1 : 0) === 1;
  const proof = (needed: boolean) => ({
    needed: needed || state.proof_needed,
    hasPassword: state.has_password,
  });
  if (question.about === "renew-codes")
    return (
      <ChangeDialog
        title="Create new recovery codes?"
        description="The codes that you stored before stop working."
        submitLabel="Create new codes"
        proof={proof(false)}
        {...{ busy, failure, onClose }}
        onSubmit={async (form) => {
          const given = proofOf(form);
          const made = await send(() => answerOf(renewCodes(given)));
          if (made.ok) setCodes({ codes: made.data.codes, news: "New recovery codes created" });
        }}
      />
    );
  const passkey = question.about === "remove-passkey" ? question.passkey : null;
  return (
    <ChangeDialog
      title={passkey ? `Remove the passkey “${passkey.name}”?` : "Remove the authenticator app?"}
      description={
        isLast
          ? "This is your last second factor. Your password will be enough to sign in, and your recovery codes stop working."
          : passkey
            ? "This passkey can then no longer sign you in. Remove it from your device or password manager as well."
            : "The codes of this app will no longer work."
      }
      submitLabel="Remove"
      tone="danger"
      proof={proof(isLast)}
      {...{ busy, failure, onClose }}
      onSubmit={async (form) => {
        const given = proofOf(form);
        const remove = () =>
          passkey
            ? act("POST /account/passkeys/{id}/remove", {
                params: { id: passkey.id },
                body: { proof: given },
              })
            : act("POST /account/second_factor/totp/remove", { body: { proof: given } });
        const gone = await send(() => answerOf(remove()));
        if (gone.ok) onChanged(passkey ? "Passkey removed" : "Authenticator app removed");
      }}
    />
  );
}

interface TotpDialogProps {
  state: SecondFactor;
  onClose: () => void;
  /** The recovery codes, if this is the first second factor. */
  onAdded: (codes: string[] | null) => void;
}

/** Shows the QR code once, and requests the app's first code. */
function TotpDialog({ state, onClose, onAdded }: TotpDialogProps) {
  const { busy, failure, send } = useSend();
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const begin = async (form: HTMLFormElement) => {
    const proof = proofOf(form);
    const begun = await send(() => answerOf(beginTotp(proof)));
    if (begun.ok) setSetup(begun.data);
  };
  const confirm = async (form: HTMLFormElement) => {
    const code = String(new FormData(form).get("code")).trim();
    const added = await send(() => answerOf(confirmTotp(code)));
    if (added.ok) onAdded(added.data.recovery_codes);
  };
  if (!setup)
    return (
      <ChangeDialog
        title={state.totp ? "Set up another authenticator app" : "Set up an authenticator app"}
        description="Have an app ready on your phone, for example 1Password, Aegis, Google Authenticator or Microsoft Authenticator."
        submitLabel="Show QR code"
        proof={{ needed: state.proof_needed, hasPassword: state.has_password }}
        busy={busy}
        failure={failure}
        onSubmit={(form) => void begin(form)}
        onClose={onClose}
      >
        {state.totp && (
          <p className="text-muted">Your current app stops working when the new one is set up.</p>
        )}
      </ChangeDialog>
    );
  return (
    <ChangeDialog
      key="confirm"
      title="Scan this with the app"
      submitLabel="Confirm"
      proof={{ needed: false, hasPassword: true }}
      busy={busy}
      failure={failure}
      onSubmit={(form) => void confirm(form)}
      onClose={onClose}
    >
      {/* biome-ignore lint/performance/noImgElement: the picture is in the page already, and Next cannot improve it. */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`}
        alt="QR code with the secret below"
        width={192}
        height={192}
        className="self-center rounded-control border bg-white"
      />
      <div>
        <p className="text-meta text-muted">
          Or type this secret into the app. The secret is shown only now.
        </p>
        <div className="flex items-center gap-1">
          <code className="min-w-0 flex-1 rounded-control border bg-sunken px-2 py-1 text-table wrap-anywhere select-all">
            {grouped(setup.secret)}
          </code>
          <CopyButton value={setup.secret} label="Copy secret" />
        </div>
      </div>
      <InputField
        label="Code"
        rule={appCode}
        hint="Enter the six digits that the app shows now."
        data-autofocus
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern={appCode.pattern}
        mono
      />
    </ChangeDialog>
  );
}

function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret;
}

/** Shows new recovery codes, which cannot be shown again. The dialog cannot be closed by accident. */
function RecoveryCodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [stored, setStored] = useState(false);
  const [news, setNews] = useState("");
  useUnloadWarning(!stored);
  const text = `${codes.join("\n")}\n`;
  const copy = () =>
    copyText(text).then(
      () => setNews("Copied to the clipboard."),
      () => setNews("Could not copy. Select the codes and copy them manually."),
    );
  const download = () => {
    saveTextFile("gatehouse-recovery-codes.txt", text);
    setNews("Downloaded gatehouse-recovery-codes.txt.");
  };
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      dismissible={false}
      onDismissAttempt={() => setNews("Store the codes first, then tick the box below.")}
      title="Store your recovery codes now"
      description="Each code lets you sign in once without your phone or passkey. The codes are shown only this time."
      footer={
        <Button variant="primary" disabled={!stored} onClick={onDone}>
          Done
        </Button>
      }
    >
      <div className="space-y-4">
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border bg-sunken px-3 py-2 font-mono text-table select-all max-phone:grid-cols-1"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Copy size={16} aria-hidden />} onClick={copy}>
            Copy
          </Button>
          <Button icon={<Download size={16} aria-hidden />} onClick={download}>
            Download
          </Button>
        </div>
        <p role="status" className="flex min-h-6 items-center gap-1 text-table text-muted">
          {news && <Check size={14} aria-hidden className="text-good" />}
          {news}
        </p>
        <Checkbox
          label="I have stored the codes in a safe place"
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
      </div>
    </Dialog>
  );
}

interface AddPasskeyDialogProps {
  state: SecondFactor;
  onClose: () => void;
  /** The recovery codes, if this is the first second factor. */
  onAdded: (codes: string[] | null) => void;
}

function AddPasskeyDialog({ state, onClose, onAdded }: AddPasskeyDialogProps) {
  const { busy, failure, send } = useSend();
  const [name, setName] = useState("");
  const submit = async (form: HTMLFormElement) => {
    const proof = proofOf(form);
    const added = await send(async (): Promise<GatewayResult<{ codes: string[] | null } | null>> => {
      const options = await answerOf(beginPasskey(proof));
      if (!options.ok) return options;
      const made = await makePasskey(options.data.public_key);
      if (!made.ok || !made.data) return made.ok ? { ok: true, data: null } : made;
      const { ticket } = options.data;
      const result = await answerOf(createPasskey({ ticket, name, credential: made.data }));
      return result.ok ? { ok: true, data: { codes: result.data.recovery_codes } } : result;
    });
    if (added.ok && added.data) onAdded(added.data.codes);
  };
  return (
    <ChangeDialog
      title="Add a passkey"
      description="Next, your browser asks where to store the passkey: on this device, a phone or a security key."
      submitLabel="Add passkey"
      proof={{ needed: state.proof_needed, hasPassword: state.has_password }}
      busy={busy}
      failure={failure}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <InputField
        label="Name"
        rule={personFields.passkeyName}
        hint="The device or password manager of this passkey, for example “Work laptop”."
        value={name}
        onValue={setName}
        pattern={wholePattern(personFields.passkeyName)}
        autoComplete="off"
      />
    </ChangeDialog>
  );
}

interface RenamePasskeyDialogProps {
  passkey: Passkey;
  onClose: () => void;
  onDone: (news: string) => void;
}

function RenamePasskeyDialog({ passkey, onClose, onDone }: RenamePasskeyDialogProps) {
  const { busy, failure, send } = useSend();
  const submit = async (form: HTMLFormElement) => {
    const name = String(new FormData(form).get("name"));
    const answer = await send(() =>
      answerOf(act("PATCH /account/passkeys/{id}", { params: { id: passkey.id }, body: { name } })),
    );
    if (answer.ok) onDone("Passkey renamed");
  };
  return (
    <ChangeDialog
      title="Rename passkey"
      submitLabel="Rename"
      proof={{ needed: false, hasPassword: true }}
      busy={busy}
      failure={failure}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <InputField
        label="Name"
        rule={personFields.passkeyName}
        name="name"
        defaultValue={passkey.name}
        pattern={wholePattern(personFields.passkeyName)}
        autoComplete="off"
      />
    </ChangeDialog>
  );
}
