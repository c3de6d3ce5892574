"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { NoticeList } from "#contract/notices.ts";
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
  /** The unread notices, newest first. */
  list: NoticeList | null;
}

/** The unread notices. Opening one leads to the page where the problem can be fixed, and marks it as read. */
export function NoticeMenu({ label, icon, list }: NoticeMenuProps) {
  const queries = useQueryClient();
  const { toast } = useToast();
  const send = async (work: Promise<GatewayResult<unknown>>) => {
    const answer = await work;
    if (!answer.ok) toast(await failureToast(answer.error));
    await queries.invalidateQueries({ queryKey: queryKeys.notices() });
  };
  const notices = list?.data ?? [];
  const [newest] = notices;
  const items: MenuItem[] = [
    ...notices.map(({ id, title, text, path }) => ({
      key: id,
      label: title,
      hint: text,
      href: path,
      onSelect: () => void send(callRoute("POST /notices/{id}/read", { params: { id } })),
    })),
    ...(newest
      ? [
          {
            label: "Mark all as read",
            onSelect: () => void send(callRoute("POST /notices/read_all", { body: { up_to: newest.id } })),
          },
        ]
      : []),
    { label: "All notices", href: "/notices" },
  ];
  return (
    <Menu
      startsOpen
      label="Notices"
      header={
        notices.length === 0 ? (
          <p className="px-2 pt-1 pb-2 text-muted">Nothing unread.</p>
        ) : (
          <p className="mb-1 border-b px-2 pt-1 pb-2 font-medium">{list?.unread} unread</p>
        )
      }
      trigger={<IconButton label={label} icon={icon} />}
      items={items}
    />
  );
}
