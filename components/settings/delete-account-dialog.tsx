"use client";

import { useEffect, useState } from "react";
import type { AccountDeletionCreate, AccountDeletionPreview } from "#contract/accounts/account-deletion.ts";
import { TextField } from "@/components/ui/form/bound-fields";
import { requiredIn } from "@/components/ui/form/field";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import { useToast } from "@/components/ui/toast";
import { answerOf, settle } from "@/lib/browser/action-answer";
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

  useEffect(() => {
    let isOpen = true;
    void answerOf(act("GET /account/deletion")).then((answer) => {
      if (isOpen) setContents(answer);
    });
    return () => {
      isOpen = false;
    };
  }, []);

  return (
    <ResourceDialog
      title={`Delete ${accountName}?`}
      description="For a week, no new run can start, and an owner can cancel the deletion. Then all of this is deleted for good:"
      defaults={{ name: "" }}
      submitLabel="Delete account in a week"
      tone="danger"
      save={(body) =>
        settle(act("POST /account/deletion", { body }), () => {
          toast({ title: "The account will be deleted in a week" });
          onClose();
          router.refresh();
        })
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <AccountContentsList preview={contents?.ok ? contents.data : null} />
          <TextField
            form={form}
            name="name"
            label={
              <>
                Type <span className="font-semibold wrap-anywhere">{accountName}</span> to confirm
              </>
            }
            required={requiredIn<AccountDeletionCreate>("name")}
            check={(name) => name.trim() === accountName.trim() || "This is not the name of the account."}
          />
          {contents?.ok === false && <ErrorPanel error={contents.error} />}
        </>
      )}
    </ResourceDialog>
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
