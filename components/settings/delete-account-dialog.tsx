"use client";

import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import type { AccountDeletionCreate, AccountDeletionPreview } from "#contract/accounts/account-deletion.ts";
import { Button } from "@/components/ui/button";
import { Field, requiredIn } from "@/components/ui/form/field";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";

import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatBytes, formatCount, formatNumber } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";

export interface DeleteAccountProps {
  accountName: string;
}

/** Lists the contents that will be deleted with the account. The user types the account's name to confirm. */
export function DeleteAccountDialog({ accountName, onClose }: DeleteAccountProps & { onClose: () => void }) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [contents, setContents] = useState<GatewayResult<AccountDeletionPreview> | null>(null);
  const { failure: refusal, send } = useSend();
  const failure = refusal ?? (contents?.ok === false ? contents.error : null);
  const form = useForm({ defaultValues: { name: "" } });
  const { errors, isSubmitting } = form.formState;

  useEffect(() => {
    let isOpen = true;
    void answerOf(act("GET /account/deletion")).then((answer) => {
      if (isOpen) setContents(answer);
    });
    return () => {
      isOpen = false;
    };
  }, []);

  const submit = form.handleSubmit(async ({ name }) => {
    const answer = await send(() => answerOf(act("POST /account/deletion", { body: { name } })));
    if (!answer.ok) return;
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
      description="For a week, no new run can start, and an owner can cancel the deletion. Then all of this is deleted for good:"
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <AccountContentsList preview={contents?.ok ? contents.data : null} />
        <Field
          label={
            <>
              Type <span className="font-semibold wrap-anywhere">{accountName}</span> to confirm
            </>
          }
          required={requiredIn<AccountDeletionCreate>("name")}
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

/** Counts of the contents that will be deleted with an account. */
function AccountContentsList({ preview }: { preview: AccountDeletionPreview | null }) {
  if (!preview) return <Skeleton className="h-36" />;
  const { contents, counted_to: countedTo } = preview;
  const count = (value: number, singular: string, plural = `${singular}s`) =>
    value >= countedTo ? `${formatNumber(value)} or more ${plural}` : formatCount(value, singular, plural);
  const lines = [
    `${count(contents.members, "member")}, of whom ${formatNumber(contents.people)} in no other account: they can no longer sign in`,
    `${count(contents.invitations, "invitation")} and ${count(contents.attestations, "attestation")}`,
    `${count(contents.presets, "preset")}, ${count(contents.conversations, "conversation")}, and ${count(contents.batches, "batch", "batches")} with their rows`,
    `${count(contents.keys, "key")} and ${count(contents.endpoints, "webhook endpoint")}, which stop working at once`,
    `${count(contents.predictions, "prediction")} and ${count(contents.uploads, "upload")}, with ${formatBytes(contents.stored_bytes)} of files`,
    `${count(contents.deliveries, "webhook delivery", "webhook deliveries")}, with their attempts`,
    `${count(contents.requests, "logged request")}, ${count(contents.audit_logs, "audit row")}, and all usage`,
  ];
  return (
    <ul className="list-disc space-y-1 pl-5 text-base">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
