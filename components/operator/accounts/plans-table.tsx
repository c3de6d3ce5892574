"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { LimitPlan } from "#contract/operator/plans.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatBytes } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

const PlanDialog = dynamic(() => import("./plan-dialog.tsx").then((module) => module.PlanDialog), {
  ssr: false,
});

interface PlansProps {
  plans: readonly LimitPlan[];
  modelIds: readonly string[];
}

/** The plans: limits under a name. */
export function Plans({ plans, modelIds }: PlansProps) {
  const t = useWords("operatorAccounts");
  const [open, setOpen] = useState<{ plan: LimitPlan | null } | null>(null);
  const add = (
    <Button variant="primary" onClick={() => setOpen({ plan: null })}>
      {t("newPlan")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("plans")} description={t("limitsUnderANameFor")} actions={add} />
      {plans.length === 0 ? (
        <EmptyState title={t("noPlans")} body={t("giveAccountsTheSameLimits")} />
      ) : (
        <Table label={t("plans")}>
          <thead>
            <tr>
              <Th>{t("name")}</Th>
              <Th>{t("limits")}</Th>
              <Th numeric>{t("accounts")}</Th>
              <Th>
                <span className="sr-only">{t("actions")}</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <Tr key={plan.id}>
                <Td className="min-w-36 wrap-anywhere">{plan.name}</Td>
                <Td className="wrap-anywhere text-muted" label={t("limits")}>
                  {listText(t.language, limitTexts(t, plan), "plain") || t("noLimits")}
                </Td>
                <Td numeric label={t("accounts")}>
                  {plan.accounts === 0 ? (
                    "0"
                  ) : (
                    <Link
                      href={`/operator/accounts?plan_id=${plan.id}`}
                      className="text-accent hover:underline"
                    >
                      {t("countAccounts", { count: plan.accounts })}
                    </Link>
                  )}
                </Td>
                <Td>
                  <div className="flex justify-end gap-2">
                    <Button
                      size="sm"
                      onClick={() => setOpen({ plan })}
                      aria-label={t("changeName", { name: plan.name })}
                    >
                      {t("change")}
                    </Button>
                    <DeletePlan plan={plan} />
                  </div>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      {open && <PlanDialog {...open} modelIds={modelIds} onClose={() => setOpen(null)} />}
    </>
  );
}

function limitTexts(t: Words<"operatorAccounts">, { limits }: LimitPlan): string[] {
  const { requests_per_minute, tokens_per_minute, max_concurrency, storage_bytes, contents_days } = limits;
  return [
    requests_per_minute && t("requestsAMinute", { count: requests_per_minute }),
    tokens_per_minute && t("tokensAMinute", { count: tokens_per_minute }),
    max_concurrency && t("requestsAtOnce", { count: max_concurrency }),
    storage_bytes && t("sizeOfFiles", { size: formatBytes(storage_bytes) }),
    contents_days && t("contentsFor", { count: contents_days }),
    limits.shortest_retention_minutes && t("retentionFrom", { count: limits.shortest_retention_minutes }),
    limits.models && t("countModels", { count: limits.models.length }),
    limits.regions && t("countRegions", { count: limits.regions.length }),
  ].filter((text) => typeof text === "string");
}

function DeletePlan({ plan: { id, name, accounts } }: { plan: LimitPlan }) {
  const t = useWords("operatorAccounts");
  const router = usePageRouter();
  const { toast } = useToast();
  const [isOpen, setOpen] = useState(false);
  const { busy, failure, send } = useSend();
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)} aria-label={t("deleteName", { name })}>
        {t("delete")}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t("deleteThePlanName", { name })}
        body={accounts > 0 ? t("planInUse", { count: accounts }) : t("planNotUsed")}
        confirmLabel={t("delete")}
        busy={busy}
        failure={failure}
        onConfirm={async () => {
          const remove = () => act("DELETE /operator/plans/{id}", { params: { id } });
          if (!(await send(() => answerOf(remove()))).ok) return;
          setOpen(false);
          toast({ title: t("planDeleted") });
          router.refresh();
        }}
      />
    </>
  );
}
