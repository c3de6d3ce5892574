"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { LimitPlan } from "#contract/operator/plans.ts";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatBytes, formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";

const PlanDialog = dynamic(() => import("./plan-dialog.tsx").then((module) => module.PlanDialog), {
  ssr: false,
});

interface PlansProps {
  plans: readonly LimitPlan[];
  modelIds: readonly string[];
}

/** The plans: limits under a name. */
export function Plans({ plans, modelIds }: PlansProps) {
  const [open, setOpen] = useState<{ plan: LimitPlan | null } | null>(null);
  const add = (
    <Button variant="primary" onClick={() => setOpen({ plan: null })}>
      New plan
    </Button>
  );
  return (
    <>
      <PageHeader title="Plans" description="Limits under a name, for many accounts." actions={add} />
      {plans.length === 0 ? (
        <EmptyState
          title="No plans"
          body="Give accounts the same limits by a plan. When it changes, they all do."
        />
      ) : (
        <Table label="Plans">
          <thead>
            <tr>
              <Th>Name</Th>
              <Th>Limits</Th>
              <Th numeric>Accounts</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <Tr key={plan.id}>
                <Td className="min-w-36 wrap-anywhere">{plan.name}</Td>
                <Td className="wrap-anywhere text-muted" label="Limits">
                  {limitTexts(plan).join(", ") || "none"}
                </Td>
                <Td numeric label="Accounts">
                  {plan.accounts === 0 ? (
                    "0"
                  ) : (
                    <Link
                      href={`/operator/accounts?plan_id=${plan.id}`}
                      className="text-accent hover:underline"
                    >
                      {formatCount(plan.accounts, "account")}
                    </Link>
                  )}
                </Td>
                <Td>
                  <div className="flex justify-end gap-2">
                    <Button size="sm" onClick={() => setOpen({ plan })} aria-label={`Change ${plan.name}`}>
                      Change
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

function limitTexts({ limits }: LimitPlan): string[] {
  const { requests_per_minute, tokens_per_minute, max_concurrency, storage_bytes, contents_days } = limits;
  return [
    requests_per_minute && `${formatCount(requests_per_minute, "request")} a minute`,
    tokens_per_minute && `${formatCount(tokens_per_minute, "token")} a minute`,
    max_concurrency && `${formatCount(max_concurrency, "request")} at once`,
    storage_bytes && `${formatBytes(storage_bytes)} of files`,
    contents_days && `${formatCount(contents_days, "day")} of contents`,
    limits.shortest_retention_minutes &&
      `retention from ${formatCount(limits.shortest_retention_minutes, "minute")} on`,
    limits.models && formatCount(limits.models.length, "model"),
    limits.regions && formatCount(limits.regions.length, "region"),
  ].filter((text) => typeof text === "string");
}

function DeletePlan({ plan: { id, name, accounts } }: { plan: LimitPlan }) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [isOpen, setOpen] = useState(false);
  const { busy, failure, send } = useSend();
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)} aria-label={`Delete ${name}`}>
        Delete
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Delete the plan ${name}?`}
        body={
          accounts > 0
            ? `${formatCount(accounts, "account")} still ${accounts === 1 ? "has" : "have"} it: give them another plan first.`
            : "No account has it."
        }
        confirmLabel="Delete"
        busy={busy}
        failure={failure}
        onConfirm={async () => {
          const remove = () => act("DELETE /operator/plans/{id}", { params: { id } });
          if (!(await send(() => answerOf(remove()))).ok) return;
          setOpen(false);
          toast({ title: "Plan deleted" });
          router.refresh();
        }}
      />
    </>
  );
}
