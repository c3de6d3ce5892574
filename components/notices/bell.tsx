"use client";

import { useQuery } from "@tanstack/react-query";
import { ShellIcon } from "@/components/shell/shell-icon";
import { MenuOnDemand } from "@/components/ui/menu-on-demand";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";

const askEveryMs = 60_000;
/** Lines in the menu; the page has all notices. */
const shown = 8;

const loadMenu = () => import("./notice-menu.tsx").then((module) => module.NoticeMenu);

/** The number of unread notices; their list is loaded when the bell is pressed. */
export function Bell() {
  const { data } = useQuery({
    queryKey: queryKeys.notices({ unread: true }),
    queryFn: async () => {
      const answer = await callRoute("GET /notices", { query: { unread: true, limit: shown } });
      return answer.ok ? answer.data : null;
    },
    refetchInterval: askEveryMs,
  });
  const unread = data?.unread ?? 0;
  const label = unread > 0 ? `Notices, ${unread} unread` : "Notices";
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
    <MenuOnDemand label={label} icon={icon} load={loadMenu} menu={{ label, icon, list: data ?? null }} />
  );
}
