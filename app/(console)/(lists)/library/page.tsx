import type { Metadata } from "next";
import { LibraryView } from "@/components/library/library-view";
import { LinkButton } from "@/components/ui/button";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { libraryList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { getAccount, getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Library" };

export default async function LibraryPage({ searchParams }: RouteProps) {
  await requireSession();
  const query = libraryList.queryOf(libraryList.viewOf(await searchParams), Date.now());
  const [outputs, labels, models, account] = await Promise.all([
    requestRoute("GET /outputs", { query }),
    requestRoute("GET /outputs/labels"),
    getModels(),
    getAccount(),
  ]);
  const isOff = account.ok && !account.data.keeps_outputs;
  return (
    <>
      <IgnoredFilters given={await searchParams} known={libraryList.empty} />
      <PageHeader
        title="Library"
        description="Outputs that your team keeps, with their inputs."
        actions={<LinkButton href="/library/check-a-file">Check a file</LinkButton>}
      />
      {isOff && (
        <p role="note" className="mb-4 rounded-panel border border-warn bg-warn-soft p-3">
          Outputs cannot be kept here: the setting of this installation is <code>KEEP_OUTPUTS=off</code>.
          Outputs that were kept before stay in the library until somebody removes them.
        </p>
      )}
      {outputs.ok ? (
        <LibraryView
          initial={{ query, list: outputs.data }}
          labels={labels}
          modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
        />
      ) : (
        <LoadFailure error={outputs.error} />
      )}
    </>
  );
}
