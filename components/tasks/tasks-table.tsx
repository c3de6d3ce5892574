"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { Task } from "#contract/money/budgets.ts";
import { useAccess } from "@/components/team/access";
import { StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatNumber } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { formatMoney } from "@/lib/money";
import { taskLook } from "./task-look.ts";

const RaiseDialog = dynamic(() => import("./raise-dialog.tsx").then((module) => module.RaiseDialog), {
  ssr: false,
});

interface TasksTableProps {
  tasks: Task[];
  /** Ids of the connections that the visitor can list, and whose caps the visitor may change. */
  connectionIds: readonly string[];
}

/** Tasks with their spending, cap and state, and buttons to raise and end them. */
export function TasksTable({ tasks, connectionIds }: TasksTableProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const { may } = useAccess();
  const [asked, setAsked] = useState<{ about: "raise" | "end"; task: Task } | null>(null);
  const { busy, failure, show, send } = useSend();
  const ask = (question: typeof asked) => {
    show(null);
    setAsked(question);
  };
  const done = () => {
    ask(null);
    router.refresh();
  };
  const end = async ({ id, value }: Task) => {
    const answer = await send(() => answerOf(act("POST /tasks/{id}/end", { params: { id } })));
    if (!answer.ok) return;
    toast({ title: `Task “${value}” ended` });
    done();
  };
  const mayChange = ({ holder: { type, id } }: Task) =>
    type === "account"
      ? may("budgets:manage")
      : may("keys:manage") || (may("connections:own") && connectionIds.includes(id));

  const actions: Column<Task> = {
    head: actionsHead,
    cell: (task) => {
      const { canRaise, canEnd } = taskLook(task);
      if (!canRaise || !mayChange(task)) return null;
      return (
        <RowControls className="w-full justify-end gap-1">
          <Button size="sm" aria-label={`Raise ${task.value}`} onClick={() => ask({ about: "raise", task })}>
            Raise
          </Button>
          {canEnd && (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`End ${task.value}`}
              onClick={() => ask({ about: "end", task })}
            >
              End
            </Button>
          )}
        </RowControls>
      );
    },
  };
  return (
    <>
      <RowsTable
        label="Tasks"
        rows={tasks}
        columns={[valueColumn(may("requests:read")), ...columns, actions]}
      />
      {asked?.about === "raise" && (
        <RaiseDialog task={asked.task} onRaised={done} onClose={() => ask(null)} />
      )}
      {asked?.about === "end" && (
        <ConfirmDialog
          open
          onOpenChange={(next) => !next && ask(null)}
          title={`End “${asked.task.value}”?`}
          body="Further runs of this task are rejected until somebody raises its cap. Runs that have already started finish and are billed."
          confirmLabel="End task"
          tone="bad"
          busy={busy}
          failure={failure}
          onConfirm={() => void end(asked.task)}
        />
      )}
    </>
  );
}

/** The task's value, which links to its requests, and the account, key or connection that has the cap. */
function valueColumn(leads: boolean): Column<Task> {
  return {
    head: "Task",
    cellClass: "max-w-80 min-w-36",
    cell: ({ metadata_key: key, value, holder }) => (
      <>
        {leads ? (
          <Link
            href={`/requests?${new URLSearchParams({ metadata: `${key}=${value}` })}`}
            className="font-mono font-medium text-ink wrap-anywhere hover:underline"
          >
            {value}
          </Link>
        ) : (
          <span className="font-mono font-medium text-ink wrap-anywhere">{value}</span>
        )}
        <span className="block text-meta text-muted wrap-anywhere">
          <code>{key}</code>, {holder.type === "account" ? "cap of the account" : `cap of ${holder.name}`}
        </span>
      </>
    ),
  };
}

const columns: readonly Column<Task>[] = [
  {
    head: "Status",
    cell: (task) => {
      const { label, tone, icon, meaning, stops } = taskLook(task);
      return (
        <>
          <StatusPill label={label} tone={tone} icon={icon} title={meaning} />
          {stops && <span className="block max-w-56 text-meta text-muted">{meaning}</span>}
        </>
      );
    },
  },
  {
    head: "Spent",
    from: "tablet",
    numeric: true,
    cell: ({ spent, reserved, amount, currency }) => (
      <>
        <span className="tabular whitespace-nowrap" title={`${spent} ${currency}`}>
          {formatMoney(spent, currency)}
        </span>
        {amount !== null && (
          <span className="block text-meta whitespace-nowrap text-muted">
            of {formatMoney(amount, currency)}
          </span>
        )}
        {reserved !== "0" && (
          <span className="block text-meta whitespace-nowrap text-muted">
            {formatMoney(reserved, currency)} reserved
          </span>
        )}
      </>
    ),
  },
  {
    head: "Runs",
    from: "tablet",
    numeric: true,
    cell: ({ runs, max_runs: max }) => (
      <>
        <span className="tabular">{formatNumber(runs)}</span>
        {max !== null && (
          <span className="block text-meta whitespace-nowrap text-muted">of {formatNumber(max)}</span>
        )}
      </>
    ),
  },
  {
    head: "Last run",
    from: "tablet",
    cell: ({ last_run_at: at }) => (at ? <Time value={at} /> : <span className="text-muted">none yet</span>),
  },
];
