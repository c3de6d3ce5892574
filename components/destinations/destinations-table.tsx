import type { Destination } from "#contract/copies.ts";
import { RowsTable } from "@/components/ui/list/rows-table";
import { RowLink } from "@/components/ui/list/table";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { formatNumber } from "@/lib/format";
import { destinationLook } from "@/lib/status/destination";
import { automaticWords, bucketName } from "./destination-words.ts";

export function DestinationsTable({ destinations }: { destinations: Destination[] }) {
  return (
    <RowsTable
      label="Destinations"
      rows={destinations}
      columns={[
        {
          head: "Destination",
          cellClass: "tablet:min-w-44",
          cell: (destination) => (
            <>
              <RowLink href={`/destinations/${destination.id}`} className="wrap-anywhere">
                {destination.name}
              </RowLink>
              <span className="block font-mono text-meta text-muted wrap-anywhere">
                {bucketName(destination)}
              </span>
            </>
          ),
        },
        {
          head: "Status",
          cell(destination) {
            const look = destinationLook(destination);
            return <StatusPill {...look} title={destination.last_error?.message ?? look.meaning} />;
          },
        },
        {
          head: "Automatic",
          from: "tablet",
          cell: (destination) => automaticWords(destination),
        },
        {
          head: "Failed",
          numeric: true,
          from: "tablet",
          cell: ({ failed_copies }) => formatNumber(failed_copies),
        },
        {
          head: "Last copied",
          from: "tablet",
          cell: ({ last_copied_at }) => <Time value={last_copied_at} />,
        },
      ]}
    />
  );
}
