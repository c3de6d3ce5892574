"use client";

import type { OperatorProvider, ProviderUpdate } from "#contract/operator/providers.ts";
import { EditProviderForm } from "@/components/operator/providers/edit-provider-form";
import { ReplaceKeyForm } from "@/components/operator/providers/replace-key-form";
import { SeveralKeysForm } from "@/components/operator/providers/several-keys-form";
import { useChange } from "@/components/operator/use-change";
import { ConfirmDialog } from "@/components/ui/dialog";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { usePageRouter } from "@/components/ui/page/use-place";
import { formatCount } from "@/lib/format";
import { changeConfiguration } from "@/lib/gateway/act";

export type ProviderDialog = "key" | "keys" | "edit" | "remove";

interface ProviderDialogsProps {
  open: ProviderDialog;
  provider: OperatorProvider;
  onClose: () => void;
}

/** The dialogs that change a provider. */
export function ProviderDialogs({ open, provider, onClose }: ProviderDialogsProps) {
  const router = usePageRouter();
  const { busy, change } = useChange();
  const { failure, attempt } = useSend();
  const { id, name, running_predictions: running } = provider;

  const of = { params: { id } };
  const update = (body: ProviderUpdate) =>
    changeConfiguration("PATCH /operator/providers/{id}", { ...of, body });
  const remove = async () => {
    const describe = ({ deleted }: { deleted: boolean }) =>
      deleted ? `${name} removed` : `${name} is being removed: it accepts no new runs`;
    const removed = () => changeConfiguration("DELETE /operator/providers/{id}", of);
    await attempt(() => change(removed(), describe, () => router.push("/operator/providers")));
  };

  if (open === "remove")
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title={`Remove ${name}?`}
        body={
          running > 0
            ? `${formatCount(running, "prediction")} still running there. The provider accepts no new runs from now on and is removed when these have ended. Operations that are mapped only to it fail from now on.`
            : "Operations that are mapped only to this provider fail until you map them to another one. Its key is deleted."
        }
        confirmLabel="Remove provider"
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={() => void remove()}
      />
    );
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      title={open === "key" ? "Replace the key" : open === "keys" ? `Keys of ${name}` : `Edit ${name}`}
    >
      {open === "keys" ? (
        <SeveralKeysForm
          provider={provider}
          onCancel={onClose}
          submit={(credentials, title) => change(update({ credentials }), title, onClose)}
        />
      ) : open === "key" ? (
        <ReplaceKeyForm
          provider={provider}
          onCancel={onClose}
          submit={(credentials, title) => change(update({ credentials }), title, onClose)}
        />
      ) : (
        <EditProviderForm
          provider={provider}
          onCancel={onClose}
          submit={(body) => change(update(body), (saved) => `${saved.name} updated`, onClose)}
        />
      )}
    </FormDialog>
  );
}
