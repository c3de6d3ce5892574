import { notFound } from "next/navigation";
import { headOf, page, titleOf } from "@/app/console-page";
import { ManagedByFile } from "@/components/operator/marks";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { PageHeader } from "@/components/ui/page/page-header";
import { inWords } from "@/components/words/coded";
import { entryOf } from "@/lib/operator/route-entry";
import { mappable, readMapping } from "../read-mapping.ts";
import { RouteClient } from "../route-client.tsx";

const head = headOf({ title: "route", parts: ["mapping", "operator"] });

export const generateMetadata = titleOf(head);

export default page<"id", "mapping">(head, async ({ t, params: { id }, need }) => {
  const { table, models, providers } = await need(readMapping());
  const route = table.data.find((each) => each.id === decodeURIComponent(id));
  if (!route) notFound();
  const ofFile = route.managed_by === "file";
  return (
    <>
      <ReturnToRow list="/operator/mapping" />
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">
              {route.provider}: {route.upstream_model}
            </span>
            {ofFile && <ManagedByFile />}
          </span>
        }
        description={ofFile ? t("thisRouteIsInThe") : t("modelsThatRunAtThis")}
      />
      {route.problem && (
        <p role="alert" className="mb-4 rounded-panel border border-bad bg-bad-soft p-3 wrap-anywhere">
          {t.rich(
            route.serves.length === 0 ? "thisRouteCannotRunAny" : "thisRouteCanRunOnly",
            { problem: route.problem },
            inWords(route.problem, route.problem_codes),
          )}
        </p>
      )}
      <RouteClient
        key={route.id}
        id={route.id}
        revision={table.revision}
        initial={entryOf(route)}
        models={models.map(mappable)}
        providers={providers}
        readOnly={ofFile}
      />
    </>
  );
});
