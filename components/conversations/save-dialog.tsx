"use client";

import { conversationFields } from "#contract/conversation-constants.ts";
import { useWords } from "#words";
import { Button, LinkButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { wholePattern } from "@/components/ui/form/field";
import { InputField } from "@/components/ui/form/input-fields";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";

interface SaveDialogProps {
  name: string;
  busy: boolean;
  failure: GatewayFailure | null;
  /** Link to another person's newer version. */
  openHref: string | null;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** The form for the name of a saved conversation. */
export function SaveDialog({ name, busy, failure, openHref, onSave, onClose }: SaveDialogProps) {
  const t = useWords("conversations");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={t("saveAndShare")}
      description={t("everybodyInYourAccountCan")}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onSave(String(new FormData(event.currentTarget).get("name")).trim());
        }}
      >
        {failure && <ErrorPanel error={failure} />}
        <InputField
          label={failure ? t("saveAsAnotherConversation") : t("name")}
          rule={conversationFields.name}
          name="name"
          defaultValue={name}
          pattern={wholePattern(conversationFields.name)}
          autoComplete="off"
        />
        <div className="flex flex-wrap justify-end gap-2">
          {openHref && <LinkButton href={openHref}>{t("openTheirVersion")}</LinkButton>}
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
