import { page, titleOf } from "@/app/console-page";
import { GuardView } from "@/components/guards/guard-view";
import { spanBounds } from "@/lib/activity/spans";
import { getModels } from "@/lib/server/gateway/reads";

const head = { title: "installationGuard", parts: ["guards", "charts", "secrets", "sentences"] } as const;

export const generateMetadata = titleOf(head);

/** For operators: the program that is asked about the runs of all accounts. */
export default page(head, async ({ requestRoute, need }) => {
  const [read, activity, models] = await Promise.all([
    requestRoute("GET /operator/guard"),
    requestRoute("GET /operator/guard/activity", { query: spanBounds("24h", Date.now()) }),
    getModels(),
  ]);
  const guard = !read.ok && read.error.code === "guard_not_found" ? null : await need(read);
  return (
    <GuardView
      of="installation"
      guard={guard}
      activity={activity.ok ? activity.data : null}
      keys={null}
      models={models.ok ? models.data.data.map(({ id }) => id) : []}
      answerer={null}
    />
  );
});
