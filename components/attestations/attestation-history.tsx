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
              <Th>By</Th>
              <Th>When</Th>
              <Th>Withdrawn</Th>
              <Th>Statement</Th>
              <Th from="desktop">IP address</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Tr key={row.id}>
                <Td className="font-medium tablet:whitespace-nowrap">{gateOfKind(row.kind).title}</Td>
                <Td label="By">{row.user_name}</Td>
                <Td>
                  <Time value={row.created_at} mode="absolute" />
                </Td>
                <Td label="Withdrawn">
                  {row.revoked_at ? (
                    <Time value={row.revoked_at} mode="absolute" />
                  ) : (
                    <span className="text-muted">{stands(row, statements) ? "valid" : "older version"}</span>
                  )}
                </Td>
                <Td className="min-w-64" label="Statement">
                  <details>
                    <summary className="w-fit rounded-control">
                      version <code>{row.statement_version}</code>
                    </summary>
                    <p className="mt-1 max-w-[70ch] whitespace-pre-line text-muted">{row.statement}</p>
                  </details>
                </Td>
                <Td className="font-mono text-meta text-muted" from="desktop" label="IP address">
                  {row.ip ?? "–"}
                </Td>
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
