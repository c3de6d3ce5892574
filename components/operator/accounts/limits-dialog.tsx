"use client";

import { accountLimitFields as bounds } from "#contract/accounts/constants.ts";
import { type AccountLimitsUpdate, limitsOf } from "#contract/accounts/limits.ts";
import type { OperatorAccountDetail } from "#contract/operator/accounts.ts";
import type { LimitPlan } from "#contract/operator/plans.ts";
import { TextField } from "@/components/ui/form/bound-fields";
import { SelectField } from "@/components/ui/form/input-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { changedLimits, LimitFields, type LimitValues, limitDefaults } from "./limit-fields.tsx";

export interface LimitsDialogProps {
  account: OperatorAccountDetail;
  modelIds: readonly string[];
  plans: readonly LimitPlan[];
  onClose: () => void;
}

/** Changes the plan and the limits of one account. An empty field is the limit of the plan or the installation. */
export function LimitsDialog({ account, modelIds, plans, onClose }: LimitsDialogProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const { limits, usual_limits: usual, plan } = account;
  return (
    <ResourceDialog<LimitValues>
      title={`Limits of ${account.name}`}
      description="For all its keys and members together. Leave a field empty for the limit of its plan or of the installation."
      defaults={{ ...limitDefaults(limits), plan: plan?.id ?? "" }}
      submitLabel="Save limits"
      save={async (values) => {
        const changed: Partial<AccountLimitsUpdate> = {
          ...changedLimits(values, limits),
          ...(values.plan !== (plan?.id ?? "") && { plan: values.plan || null }),
        };
        if (Object.keys(changed).length === 0) {
          toast({ title: "No limit changed" });
          onClose();
          return null;
        }
        const body: AccountLimitsUpdate = { ...changed, reason: values.reason.trim() };
        return settle(
          act("PATCH /operator/accounts/{id}/limits", { params: { id: account.id }, body }),
          () => {
            toast({ title: "Limits changed" });
            onClose();
            router.refresh();
          },
        );
      }}
      onClose={onClose}
    >
      {(form) => {
        const chosen = plans.find(({ id }) => id === form.watch("plan"));
        return (
          <>
            {plans.length > 0 && (
              <SelectField
                label="Plan"
                options={[["", "None"], ...plans.map(({ id, name }) => [id, name] as const)]}
                {...form.register("plan")}
              />
            )}
            <LimitFields form={form} modelIds={modelIds} usual={limitsOf(usual, chosen?.limits)} />
            <TextField
              form={form}
              name="reason"
              rule={bounds.reason}
              label="Reason"
              hint="Members of the account see it in their audit log."
              missing="Enter why the limits change."
            />
          </>
        );
      }}
    </ResourceDialog>
  );
}
