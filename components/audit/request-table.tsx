import type { RequestRow } from "#contract/account.ts";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { Duration } from "@/components/ui/quantity";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { Tone } from "@/lib/status/tone";

interface RequestTableProps {
  rows: RequestRow[];
  keyNames: Record<string, string>;
}

export function RequestTable({ rows, keyNames }: RequestTableProps) {
  return (
    <Table label="Requests">
      <thead>
        <tr>
          <Th>When</Th>
          <Th>Call</Th>
          <Th>Answer</Th>
          <Th>Model</Th>
          <Th>Region</Th>
          <Th>By</Th>
          <Th numeric>Took</Th>
          <Th>Request id</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td>
              <Time value={row.at} />
            </Td>
            <Td className="font-mono text-meta whitespace-nowrap">
              <span className="text-muted">{row.method}</span> {row.route}
            </Td>
            <Td className="whitespace-nowrap">
              <Badge tone={toneOf(row.status)}>
                <span className="font-mono">{row.status}</span>
              </Badge>{" "}
              {row.code && <code className="text-meta">{row.code}</code>}
            </Td>
            <Td className="font-mono text-meta whitespace-nowrap">{row.model ?? dash}</Td>
            <Td className="whitespace-nowrap">{row.region ?? dash}</Td>
            <Td className="whitespace-nowrap">
              {row.key_id === null ? (
                <span className="text-muted">signed-in person</span>
              ) : (
                (keyNames[row.key_id] ?? <IdChip id={row.key_id} />)
              )}
            </Td>
            <Td numeric>
              <Duration ms={row.duration_ms} />
            </Td>
            <Td>
              <IdChip id={row.id} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

const dash = <span className="text-faint">–</span>;

function toneOf(status: number): Tone {
  if (status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}
