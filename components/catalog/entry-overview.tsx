import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import { Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { gates } from "@/lib/attestations/gates";
import { DeploymentStatus } from "./deployment-status.tsx";
import { facetLabel } from "./facet-labels.ts";

interface EntryOverviewProps {
  model: CatalogModel;
  operation: CatalogOperation;
}

/** What the operation is, what it asks for and where it runs. */
export function EntryOverview({ model, operation }: EntryOverviewProps) {
  const asked = Object.values(gates).filter((gate) => model.safety_requirements[gate.flag]);
  return (
    <div className="grid gap-x-8 desktop:grid-cols-2">
      <div className="min-w-0">
        <Section title="Facts">
          <Facts
            facts={[
              ["Operation", <code key="id">{operation.id}</code>],
              ["Execution", facetLabel(operation.execution_mode)],
              ["Billed per", operation.billing_unit],
              ["Schema version", operation.schema_version],
              ["Owned by", model.owned_by],
              ["Gateway status", model.gateway_status],
              ["Released", model.released_at],
              ["Latest release", model.latest_release_at],
              ["Registry revision", <code key="revision">{model.registry_revision}</code>],
            ]}
          />
        </Section>
        <Section title="Gates">
          {asked.length === 0 ? (
            <p className="text-muted">This model has no gates.</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {asked.map((gate) => (
                <li key={gate.title} className="rounded-panel border bg-panel px-4 py-3">
                  <p className="font-medium">
                    {gate.title}
                    {gate.kind === "adult" && model.safety_requirements.minimum_age !== null && (
                      <span className="text-muted">, {model.safety_requirements.minimum_age} or older</span>
                    )}
                  </p>
                  <p className="text-muted">{gate.why}</p>
                </li>
              ))}
            </ul>
          )}
        </Section>
      </div>
      <Section
        title="Regions"
        description="Released: offered by the provider. Deployed: available on this gateway."
      >
        <Regions model={model} operation={operation} />
      </Section>
    </div>
  );
}

function Regions({ model, operation }: EntryOverviewProps) {
  const regions = [...new Set([...model.configured_regions, ...model.released_regions])].sort();
  return (
    <Table label="Regions">
      <thead>
        <tr>
          <Th>Region</Th>
          <Th>Released</Th>
          <Th>Deployment</Th>
        </tr>
      </thead>
      <tbody>
        {regions.map((region) => (
          <Tr key={region}>
            <Td className="font-mono">{region}</Td>
            <Td>{model.released_regions.includes(region) ? "yes" : "no"}</Td>
            <Td>
              <DeploymentStatus
                status={
                  operation.deployments.find((entry) => entry.gateway_region === region)?.status ?? null
                }
              />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
