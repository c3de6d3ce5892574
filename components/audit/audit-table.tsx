import { Cog, KeyRound, type LucideIcon, Terminal, User } from "lucide-react";
import type { AuditRow } from "#contract/audit.ts";
import { idHref } from "@/components/predictions/id-href";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { actionLabels } from "./action-labels.ts";
import { AuditDetail } from "./audit-detail.tsx";

const actors: Record<AuditRow["actor"]["type"], { icon: LucideIcon; word: string }> = {
  user: { icon: User, word: "person" },
  key: { icon: KeyRound, word: "key" },
  system: { icon: Cog, word: "gateway" },
  operator: { icon: Terminal, word: "operator (command line)" },
};

export function AuditTable({ rows }: { rows: AuditRow[] }) {
  return (
    <Table label="Audit log">
      <thead>
        <tr>
          <Th>When</Th>
          <Th className="max-tablet:hidden">Who</Th>
          <Th>Action</Th>
          <Th className="max-tablet:hidden">Target</Th>
          <Th className="max-tablet:hidden">Details</Th>
          <Th className="max-wide:hidden">IP address</Th>
          <Th className="max-wide:hidden">Request id</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td className="max-tablet:align-top">
              <Time value={row.at} />
              <span className="mt-0.5 block text-meta tablet:hidden">
                <Actor actor={row.actor} />
              </span>
            </Td>
            <Td className="max-w-44 min-w-28 wrap-anywhere max-tablet:hidden">
              <Actor actor={row.actor} />
            </Td>
            <Td title={row.action}>
              <span className="font-medium">{actionLabels.get(row.action) ?? row.action}</span>
              {row.detail && (
                <div className="tablet:hidden">
                  <AuditDetail detail={row.detail} />
                </div>
              )}
            </Td>
            <Td className="max-tablet:hidden">
              {row.target_id ? <IdChip id={row.target_id} href={idHref(row.target_id)} /> : dash}
            </Td>
            <Td className="max-w-80 min-w-44 max-tablet:hidden">
              <AuditDetail detail={row.detail} />
            </Td>
            <Td className="font-mono text-meta text-muted max-wide:hidden">{row.ip ?? dash}</Td>
            <Td className="max-wide:hidden">{row.request_id ? <IdChip id={row.request_id} /> : dash}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

const dash = <span className="text-faint">–</span>;

function Actor({ actor }: { actor: AuditRow["actor"] }) {
  const { icon: Icon, word } = actors[actor.type] ?? { icon: Cog, word: actor.type };
  return (
    <span className="inline-flex items-center gap-1.5" title={actor.id ?? undefined}>
      <Icon size={14} aria-hidden className="text-muted" />
      {actor.name}
      <span className="sr-only">({word})</span>
    </span>
  );
}
