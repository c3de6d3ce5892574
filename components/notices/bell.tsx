"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useWords } from "#words";
import { ShellIcon } from "@/components/shell/shell-icon";
import { MenuOnDemand } from "@/components/ui/menu-on-demand";
import { callRoute } from "@/lib/browser/gateway";
import { type Unread, unreadByCause, unreadOf } from "@/lib/notices/unread";
import { queryKeys } from "@/lib/query-keys";

const askEveryMs = 60_000;

const none: Unread = { causes: 0, newest: [] };

const loadMenu = () => import("./notice-menu.tsx").then((module) => module.NoticeMenu);

/**
 * The number of causes with unread notices. The menu with the list is loaded when the user presses the bell.
 */
export function Bell({ initial }: { initial: Unread | null }) {
  const t = useWords("shell");
  const queries = useQueryClient();
  const queryKey = queryKeys.notices({ unread: true });
  const { data } = useQuery({
    queryKey,
    queryFn: async () => {
      const answer = await callRoute("GET /notices", { query: unreadByCause(t.language) });
      return answer.ok ? unreadOf(answer.data) : (queries.getQueryData<Unread>(queryKey) ?? none);
    },
    ...(initial && { initialData: initial }),
    staleTime: askEveryMs,
    refetchInterval: askEveryMs,
  });
  const { causes: unread, newest } = data ?? none;
  const label = t("bell", { count: unread });
  const icon = (
    <span className="relative flex">
      <ShellIcon name="bell" size={16} />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute -top-2 -right-2.5 min-w-4 rounded-full bg-accent px-1 text-center text-[10px] leading-4 font-semibold text-on-accent"
        >
          {unread > 99 ? "99+" : unread}
        </span>
      )}
    </span>
  );
  return (
    <MenuOnDemand label={label} icon={icon} load={loadMenu} menu={{ label, icon, unread, groups: newest }} />
  );
}
