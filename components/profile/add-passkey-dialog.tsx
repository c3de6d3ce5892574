"use client";

import { useState } from "react";
import { personLimits } from "#contract/accounts/account-constants.ts";
import type { SecondFactor } from "#contract/accounts/second-factor.ts";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf } from "@/lib/browser/action-answer";
import { makePasskey } from "@/lib/browser/passkeys";
import type { GatewayResult } from "@/lib/gateway/result";
import { beginPasskey, createPasskey } from "@/lib/gateway/secret-actions";
import { ChangeDialog } from "./change-dialog.tsx";
import { proofOf } from "./proof-fields.tsx";

interface AddPasskeyDialogProps {
  state: SecondFactor;
  onClose: () => void;
  /** The recovery codes, if it is the first second factor. */
  onAdded: (codes: string[] | null) => void;
}

export function AddPasskeyDialog({ state, onClose, onAdded }: AddPasskeyDialogProps) {
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
      description="Your browser asks next where to keep it: this device, a phone or a security key."
      submitLabel="Add passkey"
      proof={{ needed: state.proof_needed, hasPassword: state.has_password }}
      busy={busy}
      failure={failure}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        hint="Which device or password manager it is in, for example “Work laptop”."
      >
        {(aria) => (
          <Input
            {...aria}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            pattern=".*\S.*"
            maxLength={personLimits.passkeyNameLength}
            autoComplete="off"
          />
        )}
      </Field>
    </ChangeDialog>
  );
}
