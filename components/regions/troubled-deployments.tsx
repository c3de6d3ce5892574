import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { StatusPill } from "@/components/ui/status-pill";
import { regionLook } from "@/lib/status/region";
import type { TroubledDeployment } from "./region-rows.ts";

/** Deployments that are not healthy, one row each. */
export function TroubledDeployments({ deployments }: { deployments: readonly TroubledDeployment[] }) {
  if (deployments.length === 0) return <p className="text-muted">All deployments are healthy.</p>;
  return (
    <Table label="Unhealthy deployments">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Operation</Th>
          <Th>Region</Th>
          <Th>Status</Th>
        </tr>
      </thead>
      <tbody>
        {deployments.map(({ modelId, apiType, region, status }) => {
          const look = regionLook(status);
          return (
            <Tr key={`${modelId} ${apiType} ${region}`}>
              <Td>
                <RowLink href={`/catalog/${modelId}`} className="font-mono whitespace-nowrap">
                  {modelId}
                </RowLink>
              </Td>
              <Td label="Operation">{apiType}</Td>
              <Td className="font-mono whitespace-nowrap">{region}</Td>
              <Td>
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
