"use client";

import type { AccountSuspension, DeletionNow, SuspensionCreate } from "#contract/operator/account-state.ts";
import { accountStateFields } from "#contract/operator/constants.ts";
import { useWords } from "#words";
import { TextField } from "@/components/ui/form/bound-fields";
import { requiredIn } from "@/components/ui/form/field";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

export interface AccountStateProps {
  accountId: string;
  name: string;
  suspension: AccountSuspension | null;
}

type DialogProps = AccountStateProps & { onClose: () => void };

/** Suspends an account, or changes the reason that its callers read. */
export function SuspendDialog({ accountId, name, suspension, onClose }: DialogProps) {
  const t = useWords("operatorAccounts");
  const router = usePageRouter();
  const { toast } = useToast();
  return (
    <ResourceDialog
      title={suspension ? t("changeTheReasonForSuspending", { name }) : t("suspendName", { name })}
      description={t("withinASecondItsKeys")}
      defaults={{ reason: suspension?.reason ?? "" }}
      submitLabel={suspension ? t("changeTheReason") : t("suspendAccount")}
      tone={suspension ? "primary" : "danger"}
      save={(body: SuspensionCreate) =>
        settle(act("POST /operator/accounts/{id}/suspension", { params: { id: accountId }, body }), () => {
          toast({ title: suspension ? t("theReasonWasChanged") : t("theAccountIsSuspended") });
          onClose();
          router.refresh();
        })
      }
      onClose={onClose}
    >
      {(form) => (
        <TextField
          form={form}
          name="reason"
          rule={accountStateFields.reason}
          required={requiredIn<SuspensionCreate>("reason")}
          label={t("reason")}
          hint={t("callersAndMembersOfThe")}
          missing={t("enterWhyTheAccountIs")}
        />
      )}
    </ResourceDialog>
  );
}

/** Deletes an account at once. The operator types the account's name to confirm. */
export function DeleteNowDialog({ accountId, name, onClose }: DialogProps) {
  const t = useWords("operatorAccounts");
  const router = usePageRouter();
  return (
    <ResourceDialog
      title={t("deleteNameAtOnce", { name })}
      description={t("itsKeysAndSessionsEnd")}
      defaults={{ reason: "", name: "" }}
      submitLabel={t("deleteAccountAtOnce")}
      tone="danger"
      save={(body: DeletionNow) =>
        settle(act("POST /operator/accounts/{id}/deletion", { params: { id: accountId }, body }), () => {
          onClose();
          router.push(`/operator/accounts/deleted/${accountId}`);
        })
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="reason"
            rule={accountStateFields.reason}
            required={requiredIn<DeletionNow>("reason")}
            label={t("reason")}
            hint={t("theCertificateKeepsIt")}
            missing={t("enterWhyTheAccountIs2")}
          />
          <TextField
            form={form}
            name="name"
            label={
              <>
                {t.rich(
                  "typeToConfirm",
                  { name },
                  {
                    b: (text) => (
                      <span key="name" className="font-semibold wrap-anywhere">
                        {text}
                      </span>
                    ),
                  },
                )}
              </>
            }
            required={requiredIn<DeletionNow>("name")}
            check={(typed) => typed.trim() === name.trim() || t("notTheName")}
          />
        </>
      )}
    </ResourceDialog>
  );
}
