import { LinkButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { facetLabel } from "./facet-labels.ts";
import { GateBadges } from "./gate-badges.tsx";
import { ModalityIcon } from "./modality-icon.tsx";
import { RegionSummary } from "./region-summary.tsx";
import { type CatalogRow, playgroundOf } from "./row.ts";
import type { ComparisonTicks } from "./use-comparison.ts";

interface CatalogTableProps {
  rows: readonly CatalogRow[];
  ticks: ComparisonTicks;
}

export function CatalogTable({ rows, ticks }: CatalogTableProps) {
  return (
    <Table label="Models">
      <thead>
        <tr>
          <Th className="w-9">
            <span className="sr-only">Compare</span>
          </Th>
          <Th>Model</Th>
          <Th>Operations</Th>
          <Th>Execution</Th>
          <Th from="wide">Billed per</Th>
          <Th from="wide">Regions</Th>
          <Th>Gates</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td className="pr-0!" data-box>
              <RowControls>
                <Checkbox
                  hideLabel
                  label={`Compare ${row.id}`}
                  checked={ticks.has(row.id)}
                  disabled={!ticks.canTick(row.id)}
                  onChange={() => ticks.toggle(row.id)}
                />
              </RowControls>
            </Td>
            <Td>
              <span className="flex items-center gap-2">
                <ModalityIcon modality={row.modality} />
                <RowLink href={`/catalog/${row.id}`} className="font-mono whitespace-nowrap">
                  {row.displayName ?? row.id}
                </RowLink>
                {row.displayName && <span className="font-mono text-meta text-muted">{row.id}</span>}
                <span className="sr-only">{row.modality}</span>
              </span>
            </Td>
            <Td className="min-w-44" label="Operations">
              {row.apiTypes.join(", ")}
            </Td>
            <Td className="whitespace-nowrap" label="Execution">
              {row.executionModes.map(facetLabel).join(", ")}
            </Td>
            <Td from="wide" label="Billed per">
              {row.billingUnits.join(", ")}
            </Td>
            <Td from="wide" label="Regions">
              <RegionSummary regions={row.regions} healthy={row.healthyRegions} />
            </Td>
            <Td>
              <GateBadges gates={row.gates} short />
            </Td>
            <Td className="text-right">
              <RowControls>
                <LinkButton size="sm" href={playgroundOf(row)} aria-label={`Try ${row.id}`}>
                  Try
                </LinkButton>
              </RowControls>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
