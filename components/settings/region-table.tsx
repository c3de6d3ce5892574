import type { RegionEntry } from "#contract/catalog.ts";
import { StatusPill } from "@/components/ui/status-pill";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/table";
import { regionLook } from "@/lib/status/region";

export function RegionTable({ regions }: { regions: readonly RegionEntry[] }) {
  return (
    <Table label="Regions">
      <thead>
        <tr>
          <Th>Region</Th>
          <Th>Place</Th>
          <Th>State</Th>
          <Th numeric>Models</Th>
        </tr>
      </thead>
      <tbody>
        {regions.map((region) => {
          const look = regionLook(region.status);
          return (
            <Tr key={region.id}>
              <Td>
                <RowLink href={`/catalog?region=${region.id}`} className="font-mono">
                  {region.id}
                </RowLink>
              </Td>
              <Td>{region.name}</Td>
              <Td>
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              </Td>
              <Td numeric>{region.model_count}</Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
