"use client";

import type { Connection } from "#contract/connections.ts";
import { useWords } from "#words";
import { BudgetUse } from "@/components/keys/budget-use";
import { keyLook } from "@/components/keys/key-labels";
import { StatusPill } from "@/components/ui/badge";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Link } from "@/components/ui/page/link";
import { Time, useNow } from "@/components/ui/time";
import type { Words } from "@/messages/words";

const stateTickMs = 30_000;

const columns = (t: Words<"connections">): readonly Column<Connection>[] => [
  {
    head: t("client"),
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
          {connection.client.host ?? t("unverified")}
        </span>
        <BudgetUse holder={connection} />
      </>
    ),
  },
  { head: t("status"), cell: (connection) => <ConnectionStatus connection={connection} /> },
  {
    head: t("for"),
    from: "tablet",
    cellClass: "max-w-48 wrap-anywhere",
    cell: ({ member }) => member?.name ?? t("formerMember"),
  },
  {
    head: t("models"),
    from: "tablet",
    cellClass: "text-muted",
    cell: ({ models }) => (models ? t("modelCount", { count: models.length }) : t("allWithout")),
  },
  {
    head: t("lastUsed"),
    from: "tablet",
    cell: ({ last_used_at: at }) =>
      at ? <Time value={at} /> : <span className="text-muted">{t("never")}</span>,
  },
  {
    head: t("ends"),
    from: "desktop",
    cell: ({ expires_at: at }) =>
      at ? <Time value={at} /> : <span className="text-muted">{t("withoutEnd")}</span>,
  },
];

/** The connected clients, the member of each, and their expiry. */
export function ConnectionsTable({ connections }: { connections: Connection[] }) {
  const t = useWords("connections");
  return <RowsTable label={t("connections")} rows={connections} columns={columns(t)} />;
}

/** The current state of a connection. */
export function ConnectionStatus({ connection }: { connection: Connection }) {
  const t = useWords("connections");
  const look = keyLook(connection, useNow(stateTickMs), useWords("keys"));
  return <StatusPill {...look} label={t(`${look.state}State`)} title={t(`${look.state}Means`)} />;
}
