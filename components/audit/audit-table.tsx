import { Cog, KeyRound, type LucideIcon, Terminal, User } from "lucide-react";
import type { AuditRow } from "#contract/audit.ts";
import { idHref } from "@/components/predictions/id-href";
import { IdChip } from "@/components/ui/id-chip";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Time } from "@/components/ui/time";
import { actionLabels } from "./action-labels.ts";
import { AuditDetail } from "./audit-detail.tsx";

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

export function AuditTable({ rows }: { rows: AuditRow[] }) {
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
