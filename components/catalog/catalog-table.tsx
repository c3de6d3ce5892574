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
          <Th className="max-tablet:hidden">Operations</Th>
          <Th className="max-tablet:hidden">Execution</Th>
          <Th className="max-wide:hidden">Billed per</Th>
          <Th className="max-wide:hidden">Regions</Th>
          <Th>Gates</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td className="pr-0!">
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
              <span className="block text-meta text-muted tablet:hidden">{row.apiTypes.join(", ")}</span>
            </Td>
            <Td className="min-w-44 max-tablet:hidden">{row.apiTypes.join(", ")}</Td>
            <Td className="whitespace-nowrap max-tablet:hidden">
              {row.executionModes.map(facetLabel).join(", ")}
            </Td>
            <Td className="max-wide:hidden">{row.billingUnits.join(", ")}</Td>
            <Td className="max-wide:hidden">
              <RegionSummary regions={row.regions} healthy={row.healthyRegions} />
            </Td>
            <Td>
              <GateBadges gates={row.gates} short />
            </Td>
            <Td className="text-right">
              <RowControls>
                <LinkButton size="sm" href={playgroundOf(row)} prefetch={false} aria-label={`Try ${row.id}`}>
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
