"use client";

import type { ApiKeyCreate, ApiKeyWithSecret } from "#contract/account.ts";
import { Dialog } from "@/components/ui/dialog";
import { settled } from "@/lib/browser/settled";
import type { GatewayResult } from "@/lib/gateway/result";
import { KeyForm } from "./key-form.tsx";

interface CreateKeyDialogProps {
  open: boolean;
  modelIds: string[];
  create: (body: ApiKeyCreate) => Promise<GatewayResult<ApiKeyWithSecret>>;
  onCreated: (key: ApiKeyWithSecret) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ open, modelIds, create, onCreated, onClose }: CreateKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Make a key"
      description="It is shown once, right after this."
    >
      <KeyForm
        modelIds={modelIds}
        onCancel={onClose}
        submit={async (body) => {
          const answer = await settled(create(body));
          if (!answer.ok) return answer.error;
          onCreated(answer.data);
          return null;
        }}
      />
    </Dialog>
  );
}
