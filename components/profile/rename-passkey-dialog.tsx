"use client";

import { personLimits } from "#contract/accounts/account-constants.ts";
import type { Passkey } from "#contract/accounts/second-factor.ts";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { ChangeDialog } from "./change-dialog.tsx";

interface RenamePasskeyDialogProps {
  passkey: Passkey;
  onClose: () => void;
  onDone: (news: string) => void;
}

export function RenamePasskeyDialog({ passkey, onClose, onDone }: RenamePasskeyDialogProps) {
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
      <Field label="Name" required>
        {(aria) => (
          <Input
            {...aria}
            name="name"
            defaultValue={passkey.name}
            pattern=".*\S.*"
            maxLength={personLimits.passkeyNameLength}
            autoComplete="off"
          />
        )}
      </Field>
    </ChangeDialog>
  );
}
