import { headOf, page, titleOf } from "@/app/console-page";
import { LoadOfAll } from "@/components/operator/load-of-all";
import { Nodes } from "@/components/operator/nodes";
import { HealthClient } from "./client.tsx";
import { healthView, minutesOf } from "./period.ts";

const head = headOf({ title: "health", parts: ["operatorHealth", "load", "keys"] });

export const generateMetadata = titleOf(head);

export default page(head, async ({ search, requestRoute, need }) => {
  const minutes = minutesOf(healthView.viewOf(search));
  const [report, nodes] = await Promise.all([
    requestRoute("GET /operator/health", { query: { minutes } }),
    requestRoute("GET /operator/nodes"),
  ]);
  const isOut = !report.ok && report.error.code === "service_unavailable";
  return (
    <>
      {isOut ? (
        <HealthClient initial={null} outage={report.error} />
      ) : (
        <HealthClient initial={await need(report)} outage={null} />
      )}
      <div className="mt-8">
        <LoadOfAll />
      </div>
      {nodes.ok && <Nodes initial={nodes.data} />}
    </>
  );
});
