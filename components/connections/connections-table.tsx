"use client";

import type { Connection } from "#contract/connections.ts";
import { BudgetUse } from "@/components/keys/budget-use";
import { keyLook } from "@/components/keys/key-labels";
import { StatusPill } from "@/components/ui/badge";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Link } from "@/components/ui/page/link";
import { Time, useNow } from "@/components/ui/time";
import { formatCount } from "@/lib/format";

const stateTickMs = 30_000;
const none = <span className="text-muted">never</span>;

const columns: readonly Column<Connection>[] = [
  {
    head: "Client",
    cellClass: "max-w-72 min-w-36",
    cell: (connection) => (
      <>
        <Link
          href={`/settings/connections/${connection.id}`}
          className="font-medium text-ink wrap-anywhere hover:underline"
        >
          {connection.client.name}
        </Link>
        <span className="block text-meta text-muted wrap-anywhere">
          {connection.client.host ?? "registered itself, unverified"}
        </span>
        <BudgetUse holder={connection} />
      </>
    ),
  },
  { head: "Status", cell: (connection) => <ConnectionStatus connection={connection} /> },
  {
    head: "For",
    from: "tablet",
    cellClass: "max-w-48 wrap-anywhere",
    cell: ({ member }) => member?.name ?? "a former member",
  },
  {
    head: "Models",
    from: "tablet",
    cellClass: "text-muted",
    cell: ({ models }) =>
      models ? formatCount(models.length, "model") : "all models without an attestation",
  },
  {
    head: "Last used",
    from: "tablet",
    cell: ({ last_used_at: at }) => (at ? <Time value={at} /> : none),
  },
  {
    head: "Ends",
    from: "desktop",
    cell: ({ expires_at: at }) => (at ? <Time value={at} /> : none),
  },
];

/** The connected clients, the member of each, and their expiry. */
export function ConnectionsTable({ connections }: { connections: Connection[] }) {
  return <RowsTable label="Connections" rows={connections} columns={columns} />;
}

/** The current state of a connection. */
export function ConnectionStatus({ connection }: { connection: Connection }) {
  const look = keyLook(connection, useNow(stateTickMs));
  const { label, meaning } = connectionLabels[look.label] ?? look;
  return <StatusPill {...look} label={label} title={meaning} />;
}

const connectionLabels: Record<string, { label: string; meaning: string }> = {
  Active: { label: "Connected", meaning: "This connection works" },
  Expired: { label: "Expired", meaning: "This connection has expired" },
  Revoked: { label: "Ended", meaning: "This connection was ended, so its tokens are rejected" },
};
