"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { Task } from "#contract/money/budgets.ts";
import { useFormats, useWords } from "#words";
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
import type { Formats } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { formatMoney } from "@/lib/money";
import type { Words } from "@/messages/words";
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
  const t = useWords("usage");
  const format = useFormats();
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
    toast({ title: t("taskEnded", { value }) });
    done();
  };
  const mayChange = ({ holder: { type, id } }: Task) =>
    type === "account"
      ? may("budgets:manage")
      : may("keys:manage") || (may("connections:own") && connectionIds.includes(id));

  const actions: Column<Task> = {
    head: actionsHead,
    cell: (task) => {
      const { canRaise, canEnd } = taskLook(t, task);
      if (!canRaise || !mayChange(task)) return null;
      return (
        <RowControls className="w-full justify-end gap-1">
          <Button
            size="sm"
            aria-label={t("raiseTask", { value: task.value })}
            onClick={() => ask({ about: "raise", task })}
          >
            {t("raise")}
          </Button>
          {canEnd && (
            <Button
              size="sm"
              variant="ghost"
              aria-label={t("endTaskNamed", { value: task.value })}
              onClick={() => ask({ about: "end", task })}
            >
              {t("end")}
            </Button>
          )}
        </RowControls>
      );
    },
  };
  return (
    <>
      <RowsTable
        label={t("tasks")}
        rows={tasks}
        columns={[valueColumn(t, may("requests:read")), ...columnsOf(t, format), actions]}
      />
      {asked?.about === "raise" && (
        <RaiseDialog task={asked.task} onRaised={done} onClose={() => ask(null)} />
      )}
      {asked?.about === "end" && (
        <ConfirmDialog
          open
          onOpenChange={(next) => !next && ask(null)}
          title={t("endTaskAsk", { value: asked.task.value })}
          body={t("endTaskMeans")}
          confirmLabel={t("endTask")}
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
function valueColumn(t: Words<"usage">, leads: boolean): Column<Task> {
  return {
    head: t("task"),
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
          {holder.type === "account"
            ? t.rich("keyAndAccountCap", { key }, { code })
            : t.rich("keyAndCapOf", { key, name: holder.name ?? "" }, { code })}
        </span>
      </>
    ),
  };
}

const code = (text: string[]) => <code key="key">{text}</code>;

const columnsOf = (t: Words<"usage">, format: Formats): readonly Column<Task>[] => [
  {
    head: t("status"),
    cell: (task) => {
      const { label, tone, icon, meaning, stops } = taskLook(t, task);
      return (
        <>
          <StatusPill label={label} tone={tone} icon={icon} title={meaning} />
          {stops && <span className="block max-w-56 text-meta text-muted">{meaning}</span>}
        </>
      );
    },
  },
  {
    head: t("spentHead"),
    from: "tablet",
    numeric: true,
    cell: ({ spent, reserved, amount, currency }) => (
      <>
        <span className="tabular whitespace-nowrap" title={`${spent} ${currency}`}>
          {formatMoney(spent, currency)}
        </span>
        {amount !== null && (
          <span className="block text-meta whitespace-nowrap text-muted">
            {t("ofLimit", { limit: formatMoney(amount, currency) })}
          </span>
        )}
        {reserved !== "0" && (
          <span className="block text-meta whitespace-nowrap text-muted">
            {t("reserved", { amount: formatMoney(reserved, currency) })}
          </span>
        )}
      </>
    ),
  },
  {
    head: t("runs"),
    from: "tablet",
    numeric: true,
    cell: ({ runs, max_runs: max }) => (
      <>
        <span className="tabular">{format.number(runs)}</span>
        {max !== null && (
          <span className="block text-meta whitespace-nowrap text-muted">
            {t("ofLimit", { limit: format.number(max) })}
          </span>
        )}
      </>
    ),
  },
  {
    head: t("lastRun"),
    from: "tablet",
    cell: ({ last_run_at: at }) =>
      at ? <Time value={at} /> : <span className="text-muted">{t("noneYet")}</span>,
  },
];
