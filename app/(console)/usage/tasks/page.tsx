import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { taskList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { getKeyNames } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { TasksClient } from "./client.tsx";

export const metadata: Metadata = { title: "Tasks" };

export default async function TasksPage({ searchParams }: RouteProps) {
  const { accountId } = await requireSession();
  const search = await searchParams;
  const query = taskList.queryOf(taskList.viewOf(search), Date.now());
  const [tasks, keyNames, connections] = await Promise.all([
    requestRoute("GET /tasks", { query }),
    getKeyNames(),
    requestRoute("GET /connections", { query: { limit: 100 } }),
  ]);
  return (
    <>
      <IgnoredFilters given={search} known={taskList.empty} />
      <TasksClient
        tasks={tasks}
        holders={{ [accountId]: "The account", ...keyNames }}
        connectionIds={connections.ok ? connections.data.data.map(({ id }) => id) : []}
      />
    </>
  );
}
