"use client";

import { accountLimitFields as bounds } from "#contract/accounts/constants.ts";
import type { LimitPlan } from "#contract/operator/plans.ts";
import { useWords } from "#words";
import { TextField } from "@/components/ui/form/bound-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { changedLimits, LimitFields, type LimitValues, limitDefaults } from "./limit-fields.tsx";

interface PlanDialogProps {
  /** Null: a new one. */
  plan: LimitPlan | null;
  modelIds: readonly string[];
  onClose: () => void;
}

/** Makes or changes a plan. */
export function PlanDialog({ plan, modelIds, onClose }: PlanDialogProps) {
  const t = useWords("operatorAccounts");
  const router = usePageRouter();
  const { toast } = useToast();
  const done = (title: string) => () => {
    toast({ title });
    onClose();
    router.refresh();
  };
  return (
    <ResourceDialog<LimitValues>
      title={plan ? t("planName", { name: plan.name }) : t("newPlan")}
      description={plan ? t("aboutPlan", { count: plan.accounts }) : t("aboutNewPlan")}
      defaults={{ ...limitDefaults(plan?.limits ?? null), name: plan?.name ?? "" }}
      submitLabel={plan ? t("savePlan") : t("makePlan")}
      save={async (values) => {
        const name = values.name.trim();
        const limits = changedLimits(values, plan?.limits ?? null);
        if (!plan)
          return settle(act("POST /operator/plans", { body: { name, ...limits } }), done(t("planMade")));
        const body = { ...(name !== plan.name && { name }), ...limits, reason: values.reason.trim() };
        if (Object.keys(body).length === 1) {
          done(t("nothingChanged"))();
          return null;
        }
        return settle(
          act("PATCH /operator/plans/{id}", { params: { id: plan.id }, body }),
          done(t("planChanged")),
        );
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            rule={bounds.plan_name}
            label={t("name")}
            missing={t("enterAName")}
          />
          <LimitFields form={form} modelIds={modelIds} usual={null} />
          {plan && (
            <TextField
              form={form}
              name="reason"
              rule={bounds.reason}
              label={t("reason")}
              hint={t("membersOfItsAccountsSee")}
              missing={t("enterWhyThePlanChanges")}
            />
          )}
        </>
      )}
    </ResourceDialog>
  );
}
