"use client";

import { useState } from "react";
import { personFields } from "#contract/accounts/constants.ts";
import type { EmailChangeStarted } from "#contract/accounts/credentials.ts";
import { useWords } from "#words";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { ChangeDialog, proofOf } from "./change-dialog.tsx";

interface EmailDialogProps {
  hasPassword: boolean;
  onStarted: (started: EmailChangeStarted) => void;
  onClose: () => void;
}

export function EmailDialog({ hasPassword, onStarted, onClose }: EmailDialogProps) {
  const t = useWords("profile");
  const [problem, setProblem] = useState<string | undefined>();
  const { busy, failure, send } = useSend({
    names: ["email"] as const,
    setError: (_name, { message }) => setProblem(message),
  });
  const submit = async (form: HTMLFormElement) => {
    setProblem(undefined);
    const email = String(new FormData(form).get("email"));
    const proof = proofOf(form);
    const answer = await send(() => answerOf(act("POST /account/email", { body: { email, proof } })));
    if (answer.ok) onStarted(answer.data);
  };
  return (
    <ChangeDialog
      title={t("changeEMailAddress")}
      description={t("weSendALinkTo")}
      submitLabel={t("sendTheLink")}
      proof={{ needed: true, hasPassword }}
      busy={busy}
      failure={failure}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <InputField
        label={t("newEMailAddress")}
        rule={personFields.email}
        error={problem}
        name="email"
        type="email"
        autoComplete="email"
      />
    </ChangeDialog>
  );
}
