"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { formatCount, formatNumber } from "@/lib/format";
import type { BulkOutcome, BulkRow } from "@/lib/webhooks/bulk-retry";
import { refusalText } from "@/lib/webhooks/labels";

const shownAtOnce = 100;

/** How the retry ended, and how many deliveries it did not reach. */
function endingOf({ end, left }: BulkOutcome): string {
  if (end === "done") return "All deliveries were processed.";
  const rest = left === null ? "the rest were" : `${formatNumber(left)} ${left === 1 ? "was" : "were"}`;
  if (end === "stopped") return `Stopped. Retries already queued will be sent; ${rest} not retried.`;
  return `Stopped because a request failed. Retries already queued will be sent; ${rest} not confirmed as queued.`;
}

/** The result of each delivery. Skipped ones come first, because they need attention. */
export function BulkResults({ outcome }: { outcome: BulkOutcome }) {
  const [shown, setShown] = useState(shownAtOnce);
  const rows = [...outcome.rows].sort((a, b) => Number(a.code === null) - Number(b.code === null));
  const made = new Set(rows.flatMap(({ deliveryId }) => deliveryId ?? [])).size;
  return (
    <div className="space-y-3">
      <div role="status" className="text-base text-ink">
        <p className="font-semibold">
          Queued {formatNumber(outcome.queued)}, skipped {formatNumber(outcome.refused)}
        </p>
        <p className="text-muted">{endingOf(outcome)}</p>
        {made < outcome.queued && (
          <p className="text-muted">
            {formatCount(made, "delivery", "deliveries")} will be sent, because each event is sent to each
            endpoint only once.
          </p>
        )}
      </div>
      {outcome.error && <ErrorPanel error={outcome.error} />}
      {rows.length > 0 && (
        <Table label="Result of each delivery">
          <thead>
            <tr>
              <Th>Delivery</Th>
              <Th>Result</Th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <ResultRow key={row.id} row={row} />
            ))}
          </tbody>
        </Table>
      )}
      {rows.length > shown && (
        <Button size="sm" onClick={() => setShown(shown + shownAtOnce)}>
          Show more ({formatNumber(rows.length - shown)} left)
        </Button>
      )}
    </div>
  );
}

function ResultRow({ row }: { row: BulkRow }) {
  return (
    <Tr>
      <Td>
        <IdChip id={row.id} href={`/webhooks/deliveries/${row.id}`} />
      </Td>
      <Td>
        {row.code === null && row.deliveryId ? (
          <span className="inline-flex items-center gap-1 text-good">
            Queued as <IdChip id={row.deliveryId} href={`/webhooks/deliveries/${row.deliveryId}`} />
          </span>
        ) : (
          <span className="text-bad">{row.code === null ? "Queued" : refusalText(row.code)}</span>
        )}
      </Td>
    </Tr>
  );
}
