"use client";

import { useState } from "react";
import type { SecondFactor, TotpSetup } from "#contract/accounts/second-factor.ts";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf } from "@/lib/browser/action-answer";
import { beginTotp, confirmTotp } from "@/lib/gateway/secret-actions";
import { ChangeDialog } from "./change-dialog.tsx";
import { proofOf } from "./proof-fields.tsx";

interface TotpDialogProps {
  state: SecondFactor;
  onClose: () => void;
  /** The recovery codes, if it is the first second factor. */
  onAdded: (codes: string[] | null) => void;
}

/** Shows the QR code once, and asks for the app's first code. */
export function TotpDialog({ state, onClose, onAdded }: TotpDialogProps) {
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
        description="Have the app on your phone ready: for example 1Password, Aegis, Google Authenticator or Microsoft Authenticator."
        submitLabel="Show QR code"
        proof={{ needed: state.proof_needed, hasPassword: state.has_password }}
        busy={busy}
        failure={failure}
        onSubmit={(form) => void begin(form)}
        onClose={onClose}
      >
        {state.totp && (
          <p className="text-muted">The app that you use now stops working once the new one is set up.</p>
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
        <p className="text-meta text-muted">Or type this secret into the app. It is shown only now.</p>
        <div className="flex items-center gap-1">
          <code className="min-w-0 flex-1 rounded-control border bg-sunken px-2 py-1 text-table wrap-anywhere select-all">
            {grouped(setup.secret)}
          </code>
          <CopyButton value={setup.secret} label="Copy secret" />
        </div>
      </div>
      <Field label="Code" required hint="The six digits that the app shows now.">
        {(aria) => (
          <Input
            {...aria}
            data-autofocus
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9 ]{6,7}"
            maxLength={7}
            className="font-mono"
          />
        )}
      </Field>
    </ChangeDialog>
  );
}

function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret;
}
