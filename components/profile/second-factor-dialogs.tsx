"use client";

import { Check, Copy, Download } from "lucide-react";
import { useState } from "react";
import { appCode, personFields } from "#contract/accounts/constants.ts";
import type { Passkey, SecondFactor, TotpSetup } from "#contract/accounts/second-factor.ts";
import { useWords } from "#words";
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
  const t = useWords("profile");
  const { question, state, onClose, onChanged } = props;
  const { busy, failure, send } = useSend();
  const [codes, setCodes] = useState<{ codes: string[]; news: string } | null>(null);
  const show = (news: string) => (made: string[] | null) =>
    made ? setCodes({ codes: made, news }) : onChanged(news);

  if (codes) return <RecoveryCodesDialog codes={codes.codes} onDone={() => onChanged(codes.news)} />;
  if (question.about === "add-passkey")
    return <AddPasskeyDialog {...{ state, onClose }} onAdded={show(t("passkeyAdded"))} />;
  if (question.about === "set-up-totp")
    return <TotpDialog {...{ state, onClose }} onAdded={show(t("appSetUp"))} />;
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
        title={t("createNewRecoveryCodes")}
        description={t("theCodesThatYouStored")}
        submitLabel={t("createNewCodes")}
        proof={proof(false)}
        {...{ busy, failure, onClose }}
        onSubmit={async (form) => {
          const given = proofOf(form);
          const made = await send(() => answerOf(renewCodes(given)));
          if (made.ok) setCodes({ codes: made.data.codes, news: t("codesCreated") });
        }}
      />
    );
  const passkey = question.about === "remove-passkey" ? question.passkey : null;
  return (
    <ChangeDialog
      title={passkey ? t("removeThePasskeyName", { name: passkey.name }) : t("removeTheAuthenticatorApp")}
      description={
        isLast ? t("thisIsYourLastSecond") : passkey ? t("thisPasskeyCanThenNo") : t("theCodesOfThisApp")
      }
      submitLabel={t("remove")}
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
        if (gone.ok) onChanged(passkey ? t("passkeyRemoved") : t("appRemoved"));
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
  const t = useWords("profile");
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
        title={state.totp ? t("setUpAnotherAuthenticatorApp") : t("setUpAnAuthenticatorApp")}
        description={t("haveAnAppReadyOn")}
        submitLabel={t("showQrCode")}
        proof={{ needed: state.proof_needed, hasPassword: state.has_password }}
        busy={busy}
        failure={failure}
        onSubmit={(form) => void begin(form)}
        onClose={onClose}
      >
        {state.totp && <p className="text-muted">{t("yourCurrentAppStopsWorking")}</p>}
      </ChangeDialog>
    );
  return (
    <ChangeDialog
      key="confirm"
      title={t("scanThisWithTheApp")}
      submitLabel={t("confirm")}
      proof={{ needed: false, hasPassword: true }}
      busy={busy}
      failure={failure}
      onSubmit={(form) => void confirm(form)}
      onClose={onClose}
    >
      {/* biome-ignore lint/performance/noImgElement: the picture is in the page already, and Next cannot improve it. */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`}
        alt={t("qrCodeWithTheSecret")}
        width={192}
        height={192}
        className="self-center rounded-control border bg-white"
      />
      <div>
        <p className="text-meta text-muted">{t("orTypeThisSecretInto")}</p>
        <div className="flex items-center gap-1">
          <code className="min-w-0 flex-1 rounded-control border bg-sunken px-2 py-1 text-table wrap-anywhere select-all">
            {grouped(setup.secret)}
          </code>
          <CopyButton value={setup.secret} label={t("copySecret")} />
        </div>
      </div>
      <InputField
        label={t("code")}
        rule={appCode}
        hint={t("enterTheSixDigitsThat")}
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
  const t = useWords("profile");
  const [stored, setStored] = useState(false);
  const [news, setNews] = useState("");
  useUnloadWarning(!stored);
  const text = `${codes.join("\n")}\n`;
  const copy = () =>
    copyText(text).then(
      () => setNews(t("copied")),
      () => setNews(t("couldNotCopy")),
    );
  const download = () => {
    saveTextFile("gatehouse-recovery-codes.txt", text);
    setNews(t("downloaded"));
  };
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      dismissible={false}
      onDismissAttempt={() => setNews(t("storeFirst"))}
      title={t("storeYourRecoveryCodesNow")}
      description={t("eachCodeLetsYouSign")}
      footer={
        <Button variant="primary" disabled={!stored} onClick={onDone}>
          {t("done")}
        </Button>
      }
    >
      <div className="space-y-4">
        <ul
          aria-label={t("recoveryCodes")}
          className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border bg-sunken px-3 py-2 font-mono text-table select-all max-phone:grid-cols-1"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Copy size={16} aria-hidden />} onClick={copy}>
            {t("copy")}
          </Button>
          <Button icon={<Download size={16} aria-hidden />} onClick={download}>
            {t("download")}
          </Button>
        </div>
        <p role="status" className="flex min-h-6 items-center gap-1 text-table text-muted">
          {news && <Check size={14} aria-hidden className="text-good" />}
          {news}
        </p>
        <Checkbox
          label={t("iHaveStoredTheCodes")}
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
  const t = useWords("profile");
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
      title={t("addAPasskey")}
      description={t("nextYourBrowserAsksWhere")}
      submitLabel={t("addPasskey")}
      proof={{ needed: state.proof_needed, hasPassword: state.has_password }}
      busy={busy}
      failure={failure}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <InputField
        label={t("name")}
        rule={personFields.passkeyName}
        hint={t("theDeviceOrPasswordManager")}
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
  const t = useWords("profile");
  const { busy, failure, send } = useSend();
  const submit = async (form: HTMLFormElement) => {
    const name = String(new FormData(form).get("name"));
    const answer = await send(() =>
      answerOf(act("PATCH /account/passkeys/{id}", { params: { id: passkey.id }, body: { name } })),
    );
    if (answer.ok) onDone(t("passkeyRenamed"));
  };
  return (
    <ChangeDialog
      title={t("renamePasskey")}
      submitLabel={t("rename")}
      proof={{ needed: false, hasPassword: true }}
      busy={busy}
      failure={failure}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <InputField
        label={t("name")}
        rule={personFields.passkeyName}
        name="name"
        defaultValue={passkey.name}
        pattern={wholePattern(personFields.passkeyName)}
        autoComplete="off"
      />
    </ChangeDialog>
  );
}
