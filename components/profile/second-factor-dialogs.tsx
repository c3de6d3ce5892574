"use client";

import { useState } from "react";
import type { Passkey, SecondFactor } from "#contract/accounts/second-factor.ts";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { renewCodes } from "@/lib/gateway/secret-actions";
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { proofOf } from "./proof-fields.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import { RenamePasskeyDialog } from "./rename-passkey-dialog.tsx";
import { TotpDialog } from "./totp-dialog.tsx";

export type SecondFactorQuestion =
  | { about: "add-passkey" | "set-up-totp" | "remove-totp" | "renew-codes" }
  | { about: "rename-passkey" | "remove-passkey"; passkey: Passkey };

interface SecondFactorDialogsProps {
  question: SecondFactorQuestion;
  state: SecondFactor;
  onClose: () => void;
  /** Called after the change, once its recovery codes (if any) were shown. */
  onChanged: (news: string) => void;
}

/**
 * Every dialog about the second factor, then the recovery codes; one chunk, so that the codes are shown
 * without delay.
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
        description="The ones you stored before stop working."
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
          ? "It is your last second factor: your password alone will sign you in, and your recovery codes stop working."
          : passkey
            ? "It can no longer sign you in. Remove it from your device or password manager as well."
            : "Its codes no longer work."
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
