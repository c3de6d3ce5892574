import type { Attestation, AttestationStatement } from "#contract/attestations.ts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { gateOfKind } from "@/lib/attestations/gates";

interface AttestationHistoryProps {
  rows: Attestation[];
  statements: AttestationStatement[];
}

/** Who attested what, when, in which words; nothing is ever taken out of it. */
export function AttestationHistory({ rows, statements }: AttestationHistoryProps) {
  return (
    <Section title="History" description="All attestations of this account, including withdrawn ones.">
      {rows.length === 0 ? (
        <p className="rounded-panel border border-dashed p-6 text-center text-muted">No attestations yet.</p>
      ) : (
        <Table label="Attestation history">
          <thead>
            <tr>
              <Th>Check</Th>
              <Th className="max-tablet:hidden">By</Th>
              <Th>When</Th>
              <Th className="max-tablet:hidden">Withdrawn</Th>
              <Th className="max-tablet:hidden">Statement</Th>
              <Th className="max-desktop:hidden">IP address</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Tr key={row.id}>
                <Td className="font-medium tablet:whitespace-nowrap">{gateOfKind(row.kind).title}</Td>
                <Td className="max-tablet:hidden">{row.user_name}</Td>
                <Td>
                  <Time value={row.created_at} mode="absolute" />
                  {row.revoked_at && (
                    <span className="block text-muted tablet:hidden">
                      withdrawn <Time value={row.revoked_at} mode="absolute" />
                    </span>
                  )}
                </Td>
                <Td className="max-tablet:hidden">
                  {row.revoked_at ? (
                    <Time value={row.revoked_at} mode="absolute" />
                  ) : (
                    <span className="text-muted">{stands(row, statements) ? "valid" : "older version"}</span>
                  )}
                </Td>
                <Td className="min-w-64 max-tablet:hidden">
                  <details>
                    <summary className="w-fit rounded-control">
                      version <code>{row.statement_version}</code>
                    </summary>
                    <p className="mt-1 max-w-[70ch] whitespace-pre-line text-muted">{row.statement}</p>
                  </details>
                </Td>
                <Td className="font-mono text-meta text-muted max-desktop:hidden">{row.ip ?? "–"}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}

function stands(row: Attestation, statements: AttestationStatement[]): boolean {
  return statements.some((each) => each.kind === row.kind && each.version === row.statement_version);
}
