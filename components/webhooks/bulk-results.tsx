"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { IdChip } from "@/components/ui/id-chip";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { formatCount, formatNumber } from "@/lib/format";
import type { BulkOutcome, BulkRow } from "@/lib/webhooks/bulk-run";
import { refusalText } from "@/lib/webhooks/refusal-words";

const shownAtOnce = 100;

const endings: Record<BulkOutcome["end"], string> = {
  done: "All of them were handled.",
  stopped: "Stopped. What was queued before goes out; the rest was left alone.",
  failed: "Ended early: a call failed. What was queued before goes out; the rest was left alone.",
};

/** What became of each delivery; refusals first, since they need a look. */
export function BulkResults({ outcome }: { outcome: BulkOutcome }) {
  const [shown, setShown] = useState(shownAtOnce);
  const rows = [...outcome.rows].sort((a, b) => Number(a.code === null) - Number(b.code === null));
  const made = new Set(rows.flatMap(({ deliveryId }) => deliveryId ?? [])).size;
  return (
    <div className="space-y-3">
      <div role="status" className="text-base text-ink">
        <p className="font-semibold">
          Queued {formatNumber(outcome.queued)}, refused {formatNumber(outcome.refused)}
        </p>
        <p className="text-muted">{endings[outcome.end]}</p>
        {made < outcome.queued && (
          <p className="text-muted">
            That makes {formatCount(made, "delivery", "deliveries")}: of one event to one endpoint only one
            goes out.
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
