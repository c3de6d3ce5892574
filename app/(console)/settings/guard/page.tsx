import { pageLimit } from "#contract/list-constants.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { GuardView } from "@/components/guards/guard-view";
import { spanBounds } from "@/lib/activity/spans";
import { getMemberNames, getModels } from "@/lib/server/gateway/reads";

const head = headOf({ title: "guard", parts: ["guards", "charts", "secrets", "sentences"] });

export const generateMetadata = titleOf(head);

/** For owners: the program that is asked about the account's runs. */
export default page(head, async ({ requestRoute, need }) => {
  const [read, activity, keys, models, members] = await Promise.all([
    requestRoute("GET /account/guard"),
    requestRoute("GET /account/guard/activity", { query: spanBounds("24h", Date.now()) }),
    requestRoute("GET /keys", { query: { limit: pageLimit.max } }),
    getModels(),
    getMemberNames(),
  ]);
  const guard = !read.ok && read.error.code === "guard_not_found" ? null : await need(read);
  return (
    <GuardView
      of="account"
      guard={guard}
      activity={activity.ok ? activity.data : null}
      keys={keys.ok ? keys.data.data.map(({ id, name }) => ({ id, name })) : []}
      models={models.ok ? models.data.data.map(({ id }) => id) : []}
      answerer={guard?.answered_by ? (members[guard.answered_by] ?? null) : null}
    />
  );
});
