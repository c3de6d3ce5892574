import { TriangleAlert } from "lucide-react";

interface RegionSummaryProps {
  regions: readonly string[];
  healthy: readonly string[];
}

/** The regions of an entry, naming those in trouble. */
export function RegionSummary({ regions, healthy }: RegionSummaryProps) {
  const troubled = regions.filter((region) => !healthy.includes(region));
  return (
    <span className="whitespace-nowrap">
      {regions.length > 2 ? (
        <span title={regions.join(", ")}>
          {regions[0]} <span className="text-muted">+{regions.length - 1}</span>
        </span>
      ) : (
        regions.join(", ")
      )}
      {troubled.length > 0 && (
        <span className="ml-1.5 inline-flex items-center gap-1 text-warn">
          <TriangleAlert size={13} aria-hidden />
          {troubled.length === regions.length ? "none healthy" : `${troubled.length} unhealthy`}
        </span>
      )}
    </span>
  );
}
