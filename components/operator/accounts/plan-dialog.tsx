"use client";

import { accountLimitFields as bounds } from "#contract/accounts/constants.ts";
import type { LimitPlan } from "#contract/operator/plans.ts";
import { TextField } from "@/components/ui/form/bound-fields";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { formatCount } from "@/lib/format";
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
  const router = usePageRouter();
  const { toast } = useToast();
  const done = (title: string) => () => {
    toast({ title });
    onClose();
    router.refresh();
  };
  return (
    <ResourceDialog<LimitValues>
      title={plan ? `Plan ${plan.name}` : "New plan"}
      description={`${
        plan ? `Changes apply within a second to ${formatCount(plan.accounts, "account")}. ` : ""
      }Leave a field empty for the limit of the installation. An account’s own limits come before those of its plan.`}
      defaults={{ ...limitDefaults(plan?.limits ?? null), name: plan?.name ?? "" }}
      submitLabel={plan ? "Save plan" : "Make plan"}
      save={async (values) => {
        const name = values.name.trim();
        const limits = changedLimits(values, plan?.limits ?? null);
        if (!plan)
          return settle(act("POST /operator/plans", { body: { name, ...limits } }), done("Plan made"));
        const body = { ...(name !== plan.name && { name }), ...limits, reason: values.reason.trim() };
        if (Object.keys(body).length === 1) {
          done("Nothing changed")();
          return null;
        }
        return settle(
          act("PATCH /operator/plans/{id}", { params: { id: plan.id }, body }),
          done("Plan changed"),
        );
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField form={form} name="name" rule={bounds.plan_name} label="Name" missing="Enter a name." />
          <LimitFields form={form} modelIds={modelIds} usual={null} />
          {plan && (
            <TextField
              form={form}
              name="reason"
              rule={bounds.reason}
              label="Reason"
              hint="Members of its accounts see it in their audit logs."
              missing="Enter why the plan changes."
            />
          )}
        </>
      )}
    </ResourceDialog>
  );
}
