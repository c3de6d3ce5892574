"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Check, CheckCheck, RotateCw, Settings } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { noticeCauses } from "#contract/notice-constants.ts";
import type { Notice, NoticeGroup, NoticeList } from "#contract/notices.ts";
import { useWords } from "#words";
import { RaiseButton } from "@/components/notices/raise-button";
import { Permitted } from "@/components/team/permitted";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton, LinkButton } from "@/components/ui/button";
import { ListFilters } from "@/components/ui/list/list-filters";
import { ListPage } from "@/components/ui/list/list-page";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { ActionResult, GatewayResult } from "@/lib/gateway/result";
import { noticeList } from "@/lib/lists";
import { causeLabel } from "@/lib/notices/cause-labels";
import { queryKeys } from "@/lib/query-keys";
import type { FilterText } from "@/lib/webhooks/delivery-view";

const BulkRetryDialog = dynamic(
  () => import("@/components/webhooks/deliveries/bulk-retry-dialog").then((module) => module.BulkRetryDialog),
  { ssr: false },
);

interface NoticesClientProps {
  rows: GatewayResult<NoticeList>;
  /** The unread notices by cause, newest first. */
  causes: readonly NoticeGroup[];
}

/** Unread notices by cause, then read notices. Each links to the page where the problem can be solved. */
export function NoticesClient({ rows, causes }: NoticesClientProps) {
  const t = useWords("noticePages");
  const router = usePageRouter();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const [newest] = causes;

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
      title={t("title")}
      description={t("description")}
      actions={
        <>
          {newest && (
            <Button
              busy={busy}
              icon={<CheckCheck size={16} aria-hidden />}
              onClick={() => void send(act("POST /notices/read_all", { body: { up_to: newest.newest_id } }))}
            >
              {t("markAllRead")}
            </Button>
          )}
          <LinkButton href="/settings/notifications" icon={<Settings size={16} aria-hidden />}>
            {t("notifications")}
          </LinkButton>
        </>
      }
      list={noticeList}
      answer={rows}
      total={{ route: "GET /notices", noun: "notice" }}
      notOffered={<NotOffered what={t("notOffered")}>{t("askOperator")}</NotOffered>}
      filters={(filtered) => (
        <>
          <ListFilters
            list={filtered}
            selects={[
              {
                name: "unread",
                label: t("unread"),
                any: t("byCause"),
                options: [{ value: "true", label: t("oneByOne") }],
              },
              {
                name: "cause",
                label: t("cause"),
                any: t("anyCause"),
                options: noticeCauses.map((value) => ({ value, label: causeLabel(t, value) })),
              },
            ]}
          />
          {isWhole(filtered.view) && (
            <UnreadCauses
              causes={causes.filter(
                ({ cause }) => filtered.view.cause === "" || filtered.view.cause === cause,
              )}
              onRead={({ key, newest_id }) =>
                void send(act("POST /notices/read_all", { body: { up_to: newest_id, group: key } }))
              }
              onRetried={() => router.refresh()}
            />
          )}
        </>
      )}
      empty={({ active, clear }) =>
        active === 0 && causes.length > 0 ? null : (
          <EmptyState
            title={active > 0 ? t("noMatch") : t("nothingYet")}
            body={t("appearHere")}
            action={active > 0 ? <Button onClick={clear}>{t("clearFilters")}</Button> : undefined}
          />
        )
      }
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

/** Whether the page is the first one, without a time filter: unread notices by cause appear only there. */
function isWhole({ unread, cause: _, ...others }: typeof noticeList.empty): boolean {
  return unread === "" && Object.values(others).every((value) => value === "");
}

interface UnreadCausesProps {
  causes: readonly NoticeGroup[];
  onRead: (group: NoticeGroup) => void;
  onRetried: () => void;
}

/** Unread notices, one line for each cause and reason, with a way to fix the cause. */
function UnreadCauses({ causes, onRead, onRetried }: UnreadCausesProps) {
  const t = useWords("noticePages");
  const [retried, setRetried] = useState<FilterText | null>(null);
  if (causes.length === 0) return null;
  return (
    <Section title={t("unread")}>
      <ul aria-label={t("unreadCauses")} className="divide-y rounded-panel border bg-panel">
        {causes.map((group) => {
          const { key, title, text, path, notices, last_at, retry, raise } = group;
          return (
            <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
              <div className="min-w-0 flex-1 basis-48">
                <p className="wrap-anywhere">
                  <Link
                    href={path}
                    data-name
                    className="font-medium hover:text-accent hover:underline"
                    onClick={() => onRead(group)}
                  >
                    {title}
                  </Link>
                </p>
                <p data-name className="text-table text-muted wrap-anywhere">
                  {notices > 1
                    ? t("textAndCount", { text, count: t("count", { count: notices }) })
                    : `${text} `}
                  <span className="whitespace-nowrap">
                    <Time value={last_at} />
                  </span>
                </p>
              </div>
              <div className="flex items-center gap-2">
                {raise && <RaiseButton raise={raise} title={title} />}
                {retry && (
                  <Permitted to="deliveries:retry">
                    <Button
                      size="sm"
                      icon={<RotateCw size={14} aria-hidden />}
                      aria-label={t("retryAllOf", { title })}
                      onClick={() => setRetried(retry as FilterText)}
                    >
                      {t("retryAll")}
                    </Button>
                  </Permitted>
                )}
                <IconButton
                  size="sm"
                  label={t("markRead", { title })}
                  icon={<Check size={14} aria-hidden />}
                  onClick={() => onRead(group)}
                />
              </div>
            </li>
          );
        })}
      </ul>
      {retried && (
        <BulkRetryDialog
          selection={{ filter: retried }}
          onClose={() => {
            setRetried(null);
            onRetried();
          }}
        />
      )}
    </Section>
  );
}

interface NoticesTableProps {
  notices: readonly Notice[];
  onRead: (id: string) => void;
}

function NoticesTable({ notices, onRead }: NoticesTableProps) {
  const t = useWords("noticePages");
  const columns: readonly Column<Notice>[] = [
    {
      head: t("whatHappened"),
      cellClass: "min-w-56 wrap-anywhere",
      cell: (notice) => (
        <>
          <Link
            href={notice.path}
            data-name
            className="font-medium text-ink hover:text-accent hover:underline"
            onClick={() => notice.read_at === null && onRead(notice.id)}
          >
            {notice.title}
          </Link>
          {notice.read_at === null && (
            <span className="ml-2 inline-flex align-middle">
              <Badge tone="busy">{t("isUnread")}</Badge>
            </span>
          )}
          <span data-name className="block text-muted">
            {notice.text}
          </span>
          {notice.email_error && (
            <span className="block text-warn">{t("notMailed", { error: notice.email_error })}</span>
          )}
        </>
      ),
    },
    { head: t("times"), numeric: true, from: "tablet", cell: ({ count }) => count },
    {
      head: t("last"),
      from: "tablet",
      cellClass: "whitespace-nowrap",
      cell: ({ last_at }) => <Time value={last_at} />,
    },
    {
      head: actionsHead,
      cell: ({ id, title, read_at, raise }) =>
        read_at === null && (
          <RowControls className="w-full justify-end gap-2">
            {raise && <RaiseButton raise={raise} title={title} />}
            <IconButton
              size="sm"
              label={t("markRead", { title })}
              icon={<Check size={14} aria-hidden />}
              onClick={() => onRead(id)}
            />
          </RowControls>
        ),
    },
  ];
  const table = <RowsTable label={t("title")} rows={notices} columns={columns} />;
  const isRead = notices.every(({ read_at }) => read_at !== null);
  return isRead ? <Section title={t("read")}>{table}</Section> : table;
}
