"use client";

import type { AccountSuspension, DeletionNow, SuspensionCreate } from "#contract/operator/account-state.ts";
import { accountStateFields } from "#contract/operator/constants.ts";
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
  const router = usePageRouter();
  const { toast } = useToast();
  return (
    <ResourceDialog
      title={suspension ? `Change the reason for suspending ${name}` : `Suspend ${name}?`}
      description="Within a second, its keys and sessions are refused everywhere. What runs now finishes and is charged, batches pause, and webhook deliveries wait as long as their payloads are kept. Signed addresses of files work until they expire; shared links do not."
      defaults={{ reason: suspension?.reason ?? "" }}
      submitLabel={suspension ? "Change the reason" : "Suspend account"}
      tone={suspension ? "primary" : "danger"}
      save={(body: SuspensionCreate) =>
        settle(act("POST /operator/accounts/{id}/suspension", { params: { id: accountId }, body }), () => {
          toast({ title: suspension ? "The reason was changed" : "The account is suspended" });
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
          label="Reason"
          hint="Callers and members of the account read it, and its audit log keeps it."
          missing="Enter why the account is suspended."
        />
      )}
    </ResourceDialog>
  );
}

/** Deletes an account at once. The operator types the account's name to confirm. */
export function DeleteNowDialog({ accountId, name, onClose }: DialogProps) {
  const router = usePageRouter();
  return (
    <ResourceDialog
      title={`Delete ${name} at once?`}
      description="Its keys and sessions end now. All its rows and files are removed for good, and its members who belong to no other account too. Nobody can undo this. A certificate of what was removed stays."
      defaults={{ reason: "", name: "" }}
      submitLabel="Delete account at once"
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
            label="Reason"
            hint="The certificate keeps it."
            missing="Enter why the account is deleted."
          />
          <TextField
            form={form}
            name="name"
            label={
              <>
                Type <span className="font-semibold wrap-anywhere">{name}</span> to confirm
              </>
            }
            required={requiredIn<DeletionNow>("name")}
            check={(typed) => typed.trim() === name.trim() || "This is not the name of the account."}
          />
        </>
      )}
    </ResourceDialog>
  );
}
