import { headOf, listPage, titleOf } from "@/app/console-page";
import { taskList } from "@/lib/lists";
import { getKeyNames } from "@/lib/server/gateway/reads";
import { TasksClient } from "./client.tsx";

const head = headOf({ title: "tasks", parts: ["usage", "keys", "amounts"] });

export const generateMetadata = titleOf(head);

export default listPage(
  { ...head, list: taskList },
  async ({ t, session: { accountId }, query, requestRoute }) => {
    const [tasks, keyNames, connections] = await Promise.all([
      requestRoute("GET /tasks", { query }),
      getKeyNames(),
      requestRoute("GET /connections", { query: { limit: 100 } }),
    ]);
    return (
      <TasksClient
        tasks={tasks}
        holders={{ [accountId]: t("theAccount"), ...keyNames }}
        connectionIds={connections.ok ? connections.data.data.map(({ id }) => id) : []}
      />
    );
  },
);
