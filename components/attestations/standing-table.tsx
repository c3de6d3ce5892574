import type { StandingAttestation } from "#contract/attestations.ts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { gateOfKind } from "@/lib/attestations/gates";
import { roleLabels } from "@/lib/team/roles";

/** Who has attested what, and whom it lets run. */
export function StandingTable({ standing }: { standing: readonly StandingAttestation[] }) {
  if (standing.length === 0) return null;
  return (
    <Section
      title="Who may run"
      description="A person's runs use their own attestation; a service key uses that of the owner or admin who is responsible for it."
    >
      <Table label="Who may run">
        <thead>
          <tr>
            <Th>Attested by</Th>
            <Th>Check</Th>
            <Th>Used by</Th>
            <Th>Since</Th>
          </tr>
        </thead>
        <tbody>
          {standing.map(({ kind, user, role, since, runs_own, service_keys: keys }) => (
            <Tr key={`${kind} ${user.id}`}>
              <Td className="max-w-48 wrap-anywhere">
                <span className="font-medium">{user.name}</span>
                <span className="block text-meta text-muted">{roleLabels[role]}</span>
              </Td>
              <Td>{gateOfKind(kind).title}</Td>
              <Td className="max-w-72 wrap-anywhere">
                {runs_own && <span className="block">Their own runs</span>}
                {keys.length > 0 && (
                  <span className="block">Service keys: {keys.map(({ name }) => name).join(", ")}</span>
                )}
                {!runs_own && keys.length === 0 && <span className="text-muted">Nothing now</span>}
              </Td>
              <Td label="Since">
                <Time value={since} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
