"use client";

import { accountLimitFields as bounds } from "#contract/accounts/constants.ts";
import { type AccountLimitsUpdate, limitsOf } from "#contract/accounts/limits.ts";
import type { OperatorAccountDetail } from "#contract/operator/accounts.ts";
import type { LimitPlan } from "#contract/operator/plans.ts";
import { useWords } from "#words";
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
  const t = useWords("operatorAccounts");
  const router = usePageRouter();
  const { toast } = useToast();
  const { limits, usual_limits: usual, plan } = account;
  return (
    <ResourceDialog<LimitValues>
      title={t("limitsOfName", { name: account.name })}
      description={t("forAllItsKeysAnd")}
      defaults={{ ...limitDefaults(limits), plan: plan?.id ?? "" }}
      submitLabel={t("saveLimits")}
      save={async (values) => {
        const changed: Partial<AccountLimitsUpdate> = {
          ...changedLimits(values, limits),
          ...(values.plan !== (plan?.id ?? "") && { plan: values.plan || null }),
        };
        if (Object.keys(changed).length === 0) {
          toast({ title: t("noLimitChanged") });
          onClose();
          return null;
        }
        const body: AccountLimitsUpdate = { ...changed, reason: values.reason.trim() };
        return settle(
          act("PATCH /operator/accounts/{id}/limits", { params: { id: account.id }, body }),
          () => {
            toast({ title: t("limitsChanged") });
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
                label={t("plan")}
                options={[["", t("noPlan")], ...plans.map(({ id, name }) => [id, name] as const)]}
                {...form.register("plan")}
              />
            )}
            <LimitFields form={form} modelIds={modelIds} usual={limitsOf(usual, chosen?.limits)} />
            <TextField
              form={form}
              name="reason"
              rule={bounds.reason}
              label={t("reason")}
              hint={t("membersOfTheAccountSee")}
              missing={t("enterWhyTheLimitsChange")}
            />
          </>
        );
      }}
    </ResourceDialog>
  );
}
