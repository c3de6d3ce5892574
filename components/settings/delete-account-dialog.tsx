"use client";

import { useEffect, useState } from "react";
import type { AccountDeletionCreate, AccountDeletionPreview } from "#contract/accounts/account-deletion.ts";
import { useWords } from "#words";
import { TextField } from "@/components/ui/form/bound-fields";
import { requiredIn } from "@/components/ui/form/field";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import { useToast } from "@/components/ui/toast";
import { answerOf, settle } from "@/lib/browser/action-answer";
import { formatBytes } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";

export interface DeleteAccountProps {
  accountName: string;
}

/** Lists the contents that will be deleted with the account. The user types the account's name to confirm. */
export function DeleteAccountDialog({ accountName, onClose }: DeleteAccountProps & { onClose: () => void }) {
  const t = useWords("settings");
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
      title={t("deleteName", { name: accountName })}
      description={t("forAWeekNoNew")}
      defaults={{ name: "" }}
      submitLabel={t("deleteAccountInAWeek")}
      tone="danger"
      save={(body) =>
        settle(act("POST /account/deletion", { body }), () => {
          toast({ title: t("theAccountWillBeDeleted") });
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
            label={t.rich(
              "typeToConfirm",
              { name: accountName },
              {
                b: (text) => (
                  <span key="name" className="font-semibold wrap-anywhere">
                    {text}
                  </span>
                ),
              },
            )}
            required={requiredIn<AccountDeletionCreate>("name")}
            check={(name) => name.trim() === accountName.trim() || t("notTheName")}
          />
          {contents?.ok === false && <ErrorPanel error={contents.error} />}
        </>
      )}
    </ResourceDialog>
  );
}

/** Counts of the contents that will be deleted with an account. */
function AccountContentsList({ preview }: { preview: AccountDeletionPreview | null }) {
  const t = useWords("settings");
  if (!preview) return <Skeleton className="h-36" />;
  const { contents, counted_to: countedTo } = preview;
  const of = (what: Exclude<keyof typeof contents, "people" | "stored_bytes">) => {
    const count = contents[what];
    return t("contentsOf", { what, count, isMore: count >= countedTo ? "yes" : "no" });
  };
  const lines = [
    t("lostMembers", { members: of("members"), people: contents.people }),
    t("lostPair", { first: of("invitations"), second: of("attestations") }),
    t("lostBatches", { presets: of("presets"), conversations: of("conversations"), batches: of("batches") }),
    t("lostKeys", { keys: of("keys"), endpoints: of("endpoints") }),
    t("lostFiles", {
      predictions: of("predictions"),
      uploads: of("uploads"),
      size: formatBytes(contents.stored_bytes),
    }),
    t("lostDeliveries", { deliveries: of("deliveries") }),
    t("lostLogs", { requests: of("requests"), rows: of("audit_logs") }),
  ];
  return (
    <ul className="list-disc space-y-1 pl-5 text-base">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
