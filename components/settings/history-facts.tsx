import type { History } from "#contract/accounts/account.ts";
import { Facts } from "@/components/ui/facts";
import { formatBytes, formatCount } from "@/lib/format";

/** How long this gateway keeps rows, and what it costs to keep them for ever. */
export function HistoryFacts({ history }: { history: History }) {
  return (
    <>
      <Facts
        facts={[
          ["Predictions, uploads, deliveries, saved conversations", keptFor(history.days)],
          ["Audit log", keptFor(history.audit_days)],
          ["Size in the database", `${formatBytes(history.size_bytes)}, all accounts together`],
        ]}
      />
      {history.days === null && (
        <p className="mt-3 text-muted">
          The database grows with every prediction and delivery. The operator of this gateway can limit that
          with the setting <code>HISTORY_DAYS</code>.
        </p>
      )}
    </>
  );
}

function keptFor(days: number | null): string {
  return days === null ? "Kept forever" : `Kept for ${formatCount(days, "day")}`;
}
