import { Cog, KeyRound, type LucideIcon, Terminal, User } from "lucide-react";
import type { AuditRow } from "#contract/account.ts";
import { idHref } from "@/components/predictions/id-href";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { actionWords } from "./action-words.ts";
import { AuditDetail } from "./audit-detail.tsx";

const actors: Record<AuditRow["actor"]["type"], { icon: LucideIcon; word: string }> = {
  user: { icon: User, word: "person" },
  key: { icon: KeyRound, word: "key" },
  system: { icon: Cog, word: "the gateway itself" },
  operator: { icon: Terminal, word: "operator, on the command line" },
};

export function AuditTable({ rows }: { rows: AuditRow[] }) {
  return (
    <Table label="Audit log">
      <thead>
        <tr>
          <Th>When</Th>
          <Th>Who</Th>
          <Th>What</Th>
          <Th>On</Th>
          <Th>Details</Th>
          <Th>Address</Th>
          <Th>Request id</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td>
              <Time value={row.at} />
            </Td>
            <Td className="whitespace-nowrap">
              <Actor actor={row.actor} />
            </Td>
            <Td className="font-medium whitespace-nowrap" title={row.action}>
              {actionWords.get(row.action) ?? row.action}
            </Td>
            <Td>{row.target_id ? <IdChip id={row.target_id} href={idHref(row.target_id)} /> : dash}</Td>
            <Td className="max-w-80">
              <AuditDetail detail={row.detail} />
            </Td>
            <Td className="font-mono text-meta text-muted">{row.ip ?? dash}</Td>
            <Td>{row.request_id ? <IdChip id={row.request_id} /> : dash}</Td>
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
