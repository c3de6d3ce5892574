import { Check } from "lucide-react";
import type { Notice } from "#contract/notices.ts";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";

interface NoticesTableProps {
  notices: readonly Notice[];
  onRead: (id: string) => void;
}

export function NoticesTable({ notices, onRead }: NoticesTableProps) {
  const columns: readonly Column<Notice>[] = [
    {
      head: "What happened",
      cellClass: "min-w-56 wrap-anywhere",
      cell: (notice) => (
        <>
          <Link
            href={notice.path}
            className="font-medium text-ink hover:text-accent hover:underline"
            onClick={() => notice.read_at === null && onRead(notice.id)}
          >
            {notice.title}
          </Link>
          {notice.read_at === null && (
            <span className="ml-2 inline-flex align-middle">
              <Badge tone="busy">unread</Badge>
            </span>
          )}
          <span className="block text-muted">{notice.text}</span>
          {notice.email_error && (
            <span className="block text-warn">Could not be sent by e-mail: {notice.email_error}</span>
          )}
        </>
      ),
    },
    { head: "Times", numeric: true, from: "tablet", cell: ({ count }) => count },
    {
      head: "Last",
      from: "tablet",
      cellClass: "whitespace-nowrap",
      cell: ({ last_at }) => <Time value={last_at} />,
    },
    {
      head: actionsHead,
      cell: ({ id, title, read_at }) =>
        read_at === null && (
          <RowControls className="flex justify-end">
            <IconButton
              size="sm"
              label={`Mark as read: ${title}`}
              icon={<Check size={14} aria-hidden />}
              onClick={() => onRead(id)}
            />
          </RowControls>
        ),
    },
  ];
  return <RowsTable label="Notices" rows={notices} columns={columns} />;
}
