import { NuqsAdapter } from "nuqs/adapters/next/app";
import { headOf, page, titleOf } from "@/app/console-page";
import { LoadOfAll } from "@/components/operator/load-of-all";
import { Nodes } from "@/components/operator/nodes";
import { loadHealthSearch } from "../../search-params.ts";
import { HealthClient } from "./client.tsx";

const head = headOf({ title: "health", parts: ["operatorHealth", "load", "keys"] });

export const generateMetadata = titleOf(head);

export default page(head, async ({ search, requestRoute, need }) => {
  const { minutes } = loadHealthSearch(search);
  const [report, nodes] = await Promise.all([
    requestRoute("GET /operator/health", { query: { minutes } }),
    requestRoute("GET /operator/nodes"),
  ]);
  const isOut = !report.ok && report.error.code === "service_unavailable";
  return (
    <NuqsAdapter>
      {isOut ? (
        <HealthClient initial={null} outage={report.error} />
      ) : (
        <HealthClient initial={await need(report)} outage={null} />
      )}
      <div className="mt-8">
        <LoadOfAll />
      </div>
      {nodes.ok && <Nodes initial={nodes.data} />}
    </NuqsAdapter>
  );
});
