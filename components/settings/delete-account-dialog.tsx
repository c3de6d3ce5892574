"use client";

import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import type { AccountDeletionPreview } from "#contract/account-deletion.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Field } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";
import { usePageRouter } from "@/components/ui/use-place";
import { settled } from "@/lib/browser/settled";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { AccountContentsList } from "./account-contents-list.tsx";

export interface DeleteAccountProps {
  accountName: string;
  readContents: () => ActionResult<AccountDeletionPreview>;
  deleteAccount: (name: string) => ActionResult<AccountDeletionPreview>;
}

/** What goes with the account, and its name to type before it does. */
export function DeleteAccountDialog({
  accountName,
  readContents,
  deleteAccount,
  onClose,
}: DeleteAccountProps & { onClose: () => void }) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [preview, setPreview] = useState<AccountDeletionPreview | null>(null);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const form = useForm({ defaultValues: { name: "" } });
  const { errors, isSubmitting } = form.formState;

  useEffect(() => {
    let isOpen = true;
    void settled(readContents()).then((answer) => {
      if (!isOpen) return;
      if (answer.ok) setPreview(answer.data);
      else setFailure(answer.error);
    });
    return () => {
      isOpen = false;
    };
  }, [readContents]);

  const submit = form.handleSubmit(async ({ name }) => {
    setFailure(null);
    const answer = await settled(deleteAccount(name));
    if (!answer.ok) return setFailure(answer.error);
    toast({ title: "The account will be deleted in a week" });
    onClose();
    router.refresh();
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title={`Delete ${accountName}?`}
      description="For a week nothing new runs, and an owner can cancel. Then all of this is deleted for good:"
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <AccountContentsList preview={preview} />
        <Field
          label={
            <>
              Type <span className="font-semibold wrap-anywhere">{accountName}</span> to confirm
            </>
          }
          required
          error={errors.name?.message}
        >
          {(aria) => (
            <Input
              {...aria}
              {...form.register("name", {
                validate: (name) =>
                  name.trim() === accountName.trim() || "This is not the name of the account.",
              })}
              autoComplete="off"
            />
          )}
        </Field>
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" busy={isSubmitting}>
            Delete account in a week
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
