import { headOf, page, titleOf } from "@/app/console-page";
import { NotOffered } from "@/components/ui/page/not-offered";
import { activityQueries } from "@/lib/activity/spans";
import { ActivityClient } from "./client.tsx";
import { activitySearch, loadActivitySearch } from "./search-params.ts";

const head = headOf({
  title: "activity",
  parts: ["activity", "charts", "load", "keys"],
  notOffered: (t) => <NotOffered what={t("figuresOverTime")}>{t("switchedOff")}</NotOffered>,
});

export const generateMetadata = titleOf(head);

const maxKeys = 100;

export default page({ ...head, filters: activitySearch }, async ({ search, requestRoute, need }) => {
  const { span, by } = loadActivitySearch(search);
  const queries = activityQueries(span, by, Date.now());
  const [runs, groups, deliveries, keys, members] = await Promise.all([
    need(requestRoute("GET /activity", { query: queries.runs })),
    need(requestRoute("GET /activity", { query: queries.groups })),
    requestRoute("GET /activity", { query: queries.deliveries }),
    requestRoute("GET /keys", { query: { limit: maxKeys } }),
    requestRoute("GET /account/members"),
  ]);
  const keyNames = keys.ok ? keys.data.data.map(({ id, name }) => [id, name]) : [];
  const memberNames = members.ok ? members.data.data.map(({ user_id, name }) => [user_id, name]) : [];
  return (
    <ActivityClient
      initial={{
        span,
        by,
        runs,
        groups,
        deliveries: deliveries.ok ? deliveries.data : null,
      }}
      keys={keys.ok ? keys.data.data : []}
      names={Object.fromEntries([...keyNames, ...memberNames])}
    />
  );
});
