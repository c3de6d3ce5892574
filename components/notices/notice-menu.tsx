"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { NoticeGroup, NoticesReadAll } from "#contract/notices.ts";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { callRoute } from "@/lib/browser/gateway";
import type { GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";

interface NoticeMenuProps {
  label: string;
  icon: ReactElement;
  /** How many causes have unread notices. */
  unread: number;
  /** The newest causes with unread notices. */
  groups: readonly NoticeGroup[];
}

/**
 * The unread notices, one line per cause. A line opens the page that fixes the cause, and marks its notices
 * as read.
 */
export function NoticeMenu({ label, icon, unread, groups }: NoticeMenuProps) {
  const t = useWords("shell");
  const queries = useQueryClient();
  const { toast } = useToast();
  const send = async (work: Promise<GatewayResult<unknown>>) => {
    const answer = await work;
    if (!answer.ok) toast(await failureToast(answer.error));
    await queries.invalidateQueries({ queryKey: queryKeys.notices() });
  };
  const [newest] = groups;
  const markRead = (body: NoticesReadAll) => void send(callRoute("POST /notices/read_all", { body }));
  const items: MenuItem[] = [
    ...groups.map(({ key, newest_id, title, text, path }) => ({
      key,
      label: title,
      hint: text,
      href: path,
      onSelect: () => markRead({ up_to: newest_id, group: key }),
    })),
    ...(newest
      ? [
          {
            label: t("markAllRead"),
            onSelect: () => markRead({ up_to: newest.newest_id }),
          },
        ]
      : []),
    {
      label: t("allNotices", { count: Math.max(0, unread - groups.length) }),
      href: "/notices",
    },
  ];
  return (
    <Menu
      startsOpen
      label={t("notices")}
      header={
        groups.length === 0 ? (
          <p className="px-2 pt-1 pb-2 text-muted">{t("noUnread")}</p>
        ) : (
          <p className="mb-1 border-b px-2 pt-1 pb-2 font-medium">{t("unreadCount", { count: unread })}</p>
        )
      }
      trigger={<IconButton label={label} icon={icon} />}
      items={items}
    />
  );
}
