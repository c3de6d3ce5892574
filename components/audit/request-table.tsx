import type { RequestRow } from "#contract/usage.ts";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { Duration } from "@/components/ui/quantity";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { WithBreaks } from "@/components/ui/with-breaks";
import { formatCount } from "@/lib/format";
import type { Tone } from "@/lib/status/tone";

interface RequestTableProps {
  rows: RequestRow[];
  keyNames: Record<string, string>;
}

export function RequestTable({ rows, keyNames }: RequestTableProps) {
  return (
    <Table label="Requests" className="max-desktop:[&_td]:px-2 max-desktop:[&_th]:px-2">
      <thead>
        <tr>
          <Th className="max-tablet:hidden">When</Th>
          <Th>Request</Th>
          <Th>Response</Th>
          <Th className="max-tablet:hidden">Model</Th>
          <Th className="max-[1440px]:hidden">Region</Th>
          <Th className="max-tablet:hidden">By</Th>
          <Th numeric className="max-tablet:hidden">
            Duration
          </Th>
          <Th numeric className="max-wide:hidden">
            Usage
          </Th>
          <Th className="max-desktop:hidden">Request id</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td className="max-tablet:hidden">
              <Time value={row.at} />
            </Td>
            <Td>
              <span className="font-mono text-meta wrap-break-word">
                <span className="text-muted">{row.method}</span> <WithBreaks text={row.route} before="/" />
              </span>
              <span className="mt-0.5 flex flex-wrap items-center gap-x-2 text-meta text-muted desktop:hidden">
                <span className="tablet:hidden">
                  <Time value={row.at} />
                </span>
                <IdChip id={row.id} />
              </span>
            </Td>
            <Td>
              <Badge tone={toneOf(row.status)}>
                <span className="font-mono">{row.status}</span>
              </Badge>{" "}
              {row.code && (
                <code className="text-meta">
                  <WithBreaks text={row.code} before="_" />
                </code>
              )}
              {row.count > 1 && (
                <span className="text-meta text-muted">
                  {" "}
                  {formatCount(row.count, "request")} in this minute
                </span>
              )}
            </Td>
            <Td className="font-mono text-meta wrap-break-word max-tablet:hidden">{row.model ?? dash}</Td>
            <Td className="whitespace-nowrap max-[1440px]:hidden">{row.region ?? dash}</Td>
            <Td className="max-w-40 max-tablet:hidden">
              {row.key_id === null ? (
                <span className="text-muted">signed-in person</span>
              ) : (
                (keyNames[row.key_id] ?? <IdChip id={row.key_id} />)
              )}
            </Td>
            <Td numeric className="max-tablet:hidden">
              <Duration ms={row.duration_ms} />
            </Td>
            <Td numeric className="whitespace-nowrap max-wide:hidden">
              {row.usage ? formatCount(row.usage.quantity, row.usage.unit) : dash}
            </Td>
            <Td className="max-desktop:hidden">
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
