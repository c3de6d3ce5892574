import { TriangleAlert } from "lucide-react";
import type { Endpoint } from "#contract/webhook.ts";
import { formatNumber } from "@/lib/format";
import { failureStreak } from "@/lib/webhooks/failure-streak";

/** Shown beside "Enabled": every attempt at this endpoint fails. */
export function FailureStreak({ endpoint }: { endpoint: Endpoint }) {
  const failures = failureStreak(endpoint);
  if (failures === null) return null;
  return (
    <span className="inline-flex items-center gap-1 text-meta font-medium whitespace-nowrap text-warn">
      <TriangleAlert size={14} aria-hidden />
      {formatNumber(failures)} failures in a row
    </span>
  );
}
