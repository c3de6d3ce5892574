"use client";

import { useState } from "react";
import type { ApiKeyCreate, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { KeyForm } from "./key-form.tsx";

interface CreateKeyDialogProps {
  open: boolean;
  modelIds: string[];
  create: (body: ApiKeyCreate) => ActionResult<ApiKeyWithSecret>;
  onCreated: (key: ApiKeyWithSecret) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ open, modelIds, create, onCreated, onClose }: CreateKeyDialogProps) {
  const [busy, setBusy] = useState(false);
  return (
    <FormDialog
      open={open}
      busy={busy}
      onClose={onClose}
      title="Create key"
      description="The key is shown only once, after you create it."
    >
      <KeyForm
        modelIds={modelIds}
        onCancel={onClose}
        submit={async (body) => {
          setBusy(true);
          const answer = await answerOf(create(body));
          setBusy(false);
          if (!answer.ok) return answer.error;
          onCreated(answer.data);
          return null;
        }}
      />
    </FormDialog>
  );
}
