import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { RowAnchor } from "@/components/ui/list/row-anchor";
import { GateBadges } from "./gate-badges.tsx";
import { RegionSummary } from "./region-summary.tsx";
import { type CatalogCard, playgroundOf } from "./row.ts";
import type { ComparisonTicks } from "./use-comparison.ts";

interface CatalogGalleryProps {
  rows: readonly CatalogCard[];
  ticks: ComparisonTicks;
}

/** Models as cards: what each makes, what it is for, and what has to be known before it runs. */
export function CatalogGallery({ rows, ticks }: CatalogGalleryProps) {
  return (
    <ul aria-label="Models" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,264px),1fr))] gap-4">
      {rows.map((row) => (
        <li
          key={row.id}
          className="relative flex min-w-0 flex-col overflow-hidden rounded-panel border bg-panel hover:border-strong has-[a:focus-visible]:border-accent"
        >
          {row.cover}
          <div className="flex flex-1 flex-col gap-1 px-3.5 pt-2.5 pb-3">
            <div className="flex items-start gap-2">
              <h2 className="min-w-0 flex-1">
                <RowAnchor
                  href={`/catalog/${row.id}`}
                  className="font-mono font-medium wrap-anywhere after:absolute after:inset-0 after:rounded-panel focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                >
                  {row.displayName ?? row.id}
                </RowAnchor>
                {row.displayName && (
                  <span className="block font-mono text-meta text-muted wrap-anywhere">{row.id}</span>
                )}
              </h2>
              <span className="relative z-1 flex items-center gap-2">
                <LinkButton size="sm" href={playgroundOf(row)} aria-label={`Try ${row.id}`}>
                  Try
                </LinkButton>
                <Checkbox
                  hideLabel
                  label={`Compare ${row.id}`}
                  title="Compare"
                  checked={ticks.has(row.id)}
                  disabled={!ticks.canTick(row.id)}
                  onChange={() => ticks.toggle(row.id)}
                />
              </span>
            </div>
            <p className="flex-1 text-table text-muted">{row.purpose}</p>
            <p className="mt-1 flex flex-wrap gap-1 empty:hidden">
              <GateBadges gates={row.gates} />
            </p>
            <div className="mt-1 flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 text-meta text-muted">
              <Badge>per {row.billingUnits.join(", ")}</Badge>
              <span className="min-w-0">
                <RegionSummary regions={row.regions} healthy={row.healthyRegions} />
              </span>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
