"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Check, CheckCheck, Settings } from "lucide-react";
import { useState } from "react";
import type { Notice, NoticeList } from "#contract/notices.ts";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton, LinkButton } from "@/components/ui/button";
import { ListFilters } from "@/components/ui/list/list-filters";
import { ListPage } from "@/components/ui/list/list-page";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Link } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { usePageRouter } from "@/components/ui/page/use-place";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { ActionResult, GatewayResult } from "@/lib/gateway/result";
import { noticeList } from "@/lib/lists";
import { causeLabels } from "@/lib/notices/cause-labels";
import { queryKeys } from "@/lib/query-keys";

const causeOptions = Object.entries(causeLabels).map(([value, { label }]) => ({ value, label }));

/** All notices of this person; each leads to the page where the problem can be solved. */
export function NoticesClient({ rows }: { rows: GatewayResult<NoticeList> }) {
  const router = usePageRouter();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const list = rows.ok ? rows.data : null;
  const newest = list?.first_id ?? null;

  const send = async (work: ActionResult<unknown>) => {
    setBusy(true);
    const answer = await answerOf(work);
    setBusy(false);
    if (!answer.ok) toast(await failureToast(answer.error));
    void queries.invalidateQueries({ queryKey: queryKeys.notices() });
    router.refresh();
  };

  return (
    <ListPage
      title="Notices"
      description="Events that may need your attention."
      actions={
        <>
          {list && list.unread > 0 && newest && (
            <Button
              busy={busy}
              icon={<CheckCheck size={16} aria-hidden />}
              onClick={() => void send(act("POST /notices/read_all", { body: { up_to: newest } }))}
            >
              Mark all as read
            </Button>
          )}
          <LinkButton href="/settings/notifications" icon={<Settings size={16} aria-hidden />}>
            Notifications
          </LinkButton>
        </>
      }
      list={noticeList}
      answer={rows}
      total={{ route: "GET /notices", noun: "notice" }}
      notOffered={<NotOffered what="notices">Ask the operator to notify you.</NotOffered>}
      filters={(filtered) => (
        <ListFilters
          list={filtered}
          selects={[
            {
              name: "unread",
              label: "Unread",
              any: "Read and unread",
              options: [{ value: "true", label: "Unread" }],
            },
            { name: "cause", label: "Cause", any: "Any cause", options: causeOptions },
          ]}
        />
      )}
      empty={({ active, clear }) => (
        <EmptyState
          title={active > 0 ? "No notices match these filters" : "Nothing has happened yet"}
          body="Failing endpoints, ending keys, finished batches and the like appear here."
          action={active > 0 ? <Button onClick={clear}>Clear filters</Button> : undefined}
        />
      )}
    >
      {(notices) => (
        <NoticesTable
          notices={notices}
          onRead={(id) => void send(act("POST /notices/{id}/read", { params: { id } }))}
        />
      )}
    </ListPage>
  );
}

interface NoticesTableProps {
  notices: readonly Notice[];
  onRead: (id: string) => void;
}

function NoticesTable({ notices, onRead }: NoticesTableProps) {
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
