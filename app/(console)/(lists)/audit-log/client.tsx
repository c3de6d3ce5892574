"use client";

import { Cog, KeyRound, type LucideIcon, Terminal, User } from "lucide-react";
import type { AuditRow } from "#contract/audit.ts";
import type { List } from "#contract/list.ts";
import { useWords } from "#words";
import { AuditDetail } from "@/components/audit/audit-detail";
import { MemberFilter } from "@/components/team/made-by";
import { Button } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { ExportButton } from "@/components/ui/list/export-button";
import { ListFilters } from "@/components/ui/list/list-filters";
import { ListPage } from "@/components/ui/list/list-page";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Time } from "@/components/ui/time";
import type { GatewayResult } from "@/lib/gateway/result";
import { auditList } from "@/lib/lists";
import { idHref } from "@/lib/resources";
import type { Words } from "@/messages/words";

interface AuditLogsClientProps {
  rows: GatewayResult<List<AuditRow>>;
  /**
   * The label of each action. The server passes the labels, because the browser does not load the
   * descriptions of all resources.
   */
  actionLabels: ReadonlyMap<string, string>;
}

/** The changes in this account: who made them, and from where. */
export function AuditLogsClient({ rows, actionLabels }: AuditLogsClientProps) {
  const t = useWords("auditLog");
  const actionOptions = [...actionLabels].map(([value, label]) => ({ value, label }));
  return (
    <ListPage
      log
      title={t("title")}
      description={t("description")}
      list={auditList}
      answer={rows}
      total={{ route: "GET /audit_logs", noun: "change" }}
      notOffered={<NotOffered what={t("what")}>{t("askOperator")}</NotOffered>}
      filters={(list) => (
        <ListFilters
          list={list}
          actions={
            <ExportButton route="audit_logs" filterAt={(nowMs) => auditList.filterOf(list.view, nowMs)} />
          }
          selects={[{ name: "action", label: t("action"), any: t("anyAction"), options: actionOptions }]}
        >
          <MemberFilter value={list.view.user_id} onChange={(user_id) => list.change({ user_id })} />
        </ListFilters>
      )}
      empty={({ active, clear }) => (
        <EmptyState
          title={active > 0 ? t("noMatch") : t("noneYet")}
          body={t("appearHere")}
          action={active > 0 ? <Button onClick={clear}>{t("clearFilters")}</Button> : undefined}
        />
      )}
    >
      {(shown) => <RowsTable label={t("title")} rows={shown} columns={columnsWith(t, actionLabels)} />}
    </ListPage>
  );
}

const icons: Record<AuditRow["actor"]["type"], LucideIcon> = {
  user: User,
  key: KeyRound,
  system: Cog,
  operator: Terminal,
};

const dash = <span className="text-faint">–</span>;

const columnsWith = (
  t: Words<"auditLog">,
  actionLabels: ReadonlyMap<string, string>,
): readonly Column<AuditRow>[] => [
  {
    head: t("when"),
    from: "tablet",
    cell: (row) => <Time value={row.at} />,
  },
  {
    head: t("who"),
    from: "tablet",
    cellClass: "max-w-44 min-w-28 wrap-anywhere",
    cell: (row) => <Actor actor={row.actor} />,
  },
  {
    head: t("action"),
    cell: (row) => (
      <span className="font-medium" title={row.action}>
        {actionLabels.get(row.action) ?? row.action}
      </span>
    ),
  },
  {
    head: t("target"),
    from: "tablet",
    cell: ({ target_id: id }) => (id ? <IdChip id={id} href={idHref(id)} /> : dash),
  },
  {
    head: t("details"),
    from: "tablet",
    cellClass: "max-w-80 min-w-44",
    cell: (row) => <AuditDetail detail={row.detail} />,
  },
  {
    head: t("ip"),
    from: "wide",
    cellClass: "font-mono text-meta text-muted",
    cell: (row) => row.ip ?? dash,
  },
  {
    head: t("requestId"),
    from: "wide",
    cell: ({ request_id: id }) => (id ? <IdChip id={id} /> : dash),
  },
];

function Actor({ actor }: { actor: AuditRow["actor"] }) {
  const t = useWords("auditLog");
  const Icon = icons[actor.type] ?? Cog;
  return (
    <span className="inline-flex items-baseline gap-1.5" title={actor.id ?? undefined}>
      <Icon size={14} aria-hidden className="self-center text-muted" />
      {actor.name}
      <span className="sr-only">{t("actor", { type: actor.type })}</span>
    </span>
  );
}
