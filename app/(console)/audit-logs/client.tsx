"use client";

import { Cog, KeyRound, type LucideIcon, Terminal, User } from "lucide-react";
import { useTransition } from "react";
import type { AuditRow } from "#contract/audit.ts";
import type { List } from "#contract/list.ts";
import { actionLabels } from "@/components/audit/action-labels";
import { AuditDetail } from "@/components/audit/audit-detail";
import { idHref } from "@/components/predictions/id-href";
import { MemberFilter } from "@/components/team/member-filter";
import { Button } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { ListFilters } from "@/components/ui/list/list-filters";
import { Pager } from "@/components/ui/list/pager";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { useListView } from "@/components/ui/list/use-list-view";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import { Time } from "@/components/ui/time";
import type { GatewayResult } from "@/lib/gateway/result";
import { auditList } from "@/lib/lists";

const actionOptions = [...actionLabels].map(([value, label]) => ({ value, label }));

/** Who changed what in this account, and from where. */
export function AuditLogsClient({ rows }: { rows: GatewayResult<List<AuditRow>> }) {
  const router = usePageRouter();
  const [loading, startTransition] = useTransition();
  const { view, change, clear, active } = useListView(auditList, startTransition);
  return (
    <>
      <PageHeader log title="Audit log" description="Every change and sign-in: who, when and from where." />
      {!rows.ok && rows.error.code === "route_not_found" ? (
        <NotOffered what="an audit log">Ask the operator for a record of changes.</NotOffered>
      ) : (
        <>
          <ListFilters
            list={{ view, active, change, clear }}
            selects={[{ name: "action", label: "Action", any: "Any action", options: actionOptions }]}
          >
            <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
          </ListFilters>
          {!rows.ok ? (
            <ErrorPanel error={rows.error} onRetry={() => router.refresh()} />
          ) : rows.data.data.length === 0 ? (
            <EmptyState
              title={active > 0 ? "No changes match these filters" : "No changes yet"}
              body="Changes appear here as soon as they are made."
              action={active > 0 ? <Button onClick={clear}>Clear filters</Button> : undefined}
            />
          ) : (
            <div aria-busy={loading}>
              <AuditTable rows={rows.data.data} />
              <Pager
                hasMore={rows.data.has_more}
                first={rows.data.first_id}
                last={rows.data.last_id}
                count={rows.data.data.length}
                total={{
                  route: "GET /audit_logs",
                  query: auditList.filterOf(view, Date.now()),
                  noun: "change",
                }}
              />
            </div>
          )}
        </>
      )}
    </>
  );
}

const actors: Record<AuditRow["actor"]["type"], { icon: LucideIcon; word: string }> = {
  user: { icon: User, word: "person" },
  key: { icon: KeyRound, word: "key" },
  system: { icon: Cog, word: "gateway" },
  operator: { icon: Terminal, word: "operator (command line)" },
};

const dash = <span className="text-faint">–</span>;

const columns: readonly Column<AuditRow>[] = [
  {
    head: "When",
    from: "tablet",
    cell: (row) => <Time value={row.at} />,
  },
  {
    head: "Who",
    from: "tablet",
    cellClass: "max-w-44 min-w-28 wrap-anywhere",
    cell: (row) => <Actor actor={row.actor} />,
  },
  {
    head: "Action",
    cell: (row) => (
      <span className="font-medium" title={row.action}>
        {actionLabels.get(row.action) ?? row.action}
      </span>
    ),
  },
  {
    head: "Target",
    from: "tablet",
    cell: ({ target_id: id }) => (id ? <IdChip id={id} href={idHref(id)} /> : dash),
  },
  {
    head: "Details",
    from: "tablet",
    cellClass: "max-w-80 min-w-44",
    cell: (row) => <AuditDetail detail={row.detail} />,
  },
  {
    head: "IP address",
    from: "wide",
    cellClass: "font-mono text-meta text-muted",
    cell: (row) => row.ip ?? dash,
  },
  {
    head: "Request id",
    from: "wide",
    cell: ({ request_id: id }) => (id ? <IdChip id={id} /> : dash),
  },
];

function AuditTable({ rows }: { rows: AuditRow[] }) {
  return <RowsTable label="Audit log" rows={rows} columns={columns} />;
}

function Actor({ actor }: { actor: AuditRow["actor"] }) {
  const { icon: Icon, word } = actors[actor.type] ?? { icon: Cog, word: actor.type };
  return (
    <span className="inline-flex items-baseline gap-1.5" title={actor.id ?? undefined}>
      <Icon size={14} aria-hidden className="self-center text-muted" />
      {actor.name}
      <span className="sr-only">({word})</span>
    </span>
  );
}
