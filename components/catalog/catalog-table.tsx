import { RowLink, Table, Td, Th, Tr } from "@/components/ui/table";
import { facetWord } from "./facet-words.ts";
import { GateBadges } from "./gate-badges.tsx";
import { ModalityIcon } from "./modality-icon.tsx";
import { RegionSummary } from "./region-summary.tsx";
import type { CatalogRow } from "./row.ts";

export function CatalogTable({ rows }: { rows: readonly CatalogRow[] }) {
  return (
    <Table label="Models">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Operations</Th>
          <Th>Execution</Th>
          <Th>Billed per</Th>
          <Th>Regions</Th>
          <Th>Gates</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td>
              <span className="flex items-center gap-2">
                <ModalityIcon modality={row.modality} />
                <RowLink href={`/catalog/${row.id}`} className="font-mono whitespace-nowrap">
                  {row.id}
                </RowLink>
                <span className="sr-only">{row.modality}</span>
              </span>
            </Td>
            <Td className="min-w-44">{row.apiTypes.join(", ")}</Td>
            <Td className="whitespace-nowrap">{row.executionModes.map(facetWord).join(", ")}</Td>
            <Td>{row.billingUnits.join(", ")}</Td>
            <Td>
              <RegionSummary regions={row.regions} healthy={row.healthyRegions} />
            </Td>
            <Td>
              <GateBadges gates={row.gates} short />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
