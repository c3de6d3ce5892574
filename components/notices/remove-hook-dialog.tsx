"use client";

import type { Deleted } from "#contract/list.ts";
import type { NoticeHook } from "#contract/notices.ts";
import { Button } from "@/components/ui/button";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";

interface RemoveHookDialogProps {
  hook: NoticeHook;
  remove: () => ActionResult<Deleted>;
  onRemoved: () => void;
  onClose: () => void;
}

/** Deleting cannot be undone, because the address cannot be shown again. */
export function RemoveHookDialog({ hook, remove, onRemoved, onClose }: RemoveHookDialogProps) {
  const { busy, failure, send } = useSend();
  const submit = async () => {
    const answer = await send(() => answerOf(remove()));
    if (answer.ok) onRemoved();
  };
  return (
    <FormDialog open busy={busy} onClose={onClose} title={`Delete ${hook.name}`}>
      <p className="mb-4">Nothing more is posted to {hook.url_hint}. To undo this, you need its URL again.</p>
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button variant="danger" busy={busy} onClick={() => void submit()}>
          Delete
        </Button>
      </FormActions>
    </FormDialog>
  );
}
