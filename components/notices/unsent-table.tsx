"use client";

import type { MailStatus } from "#contract/notices.ts";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Time } from "@/components/ui/time";

type Unsent = MailStatus["unsent"][number];

const kinds: Record<string, string> = {
  notices: "Notices",
  invitation: "Invitation",
  password_reset: "Password reset",
  reset_request: "Password reset",
  email_change: "Confirmation of an address",
  email_changed: "Change of an address",
};

const columns: readonly Column<Unsent>[] = [
  { head: "When", cellClass: "whitespace-nowrap", cell: ({ created_at }) => <Time value={created_at} /> },
  { head: "What", cell: ({ kind }) => kinds[kind] ?? kind },
  { head: "To", cellClass: "max-w-56 wrap-anywhere", cell: ({ address }) => address },
  { head: "Tries", numeric: true, from: "tablet", cell: ({ attempts }) => attempts },
  {
    head: "The server’s answer",
    from: "tablet",
    cellClass: "max-w-80 min-w-44 wrap-anywhere",
    cell: ({ error }) => error,
  },
];

export function UnsentTable({ mails }: { mails: readonly Unsent[] }) {
  return <RowsTable label="Not sent" rows={mails} columns={columns} />;
}
