import type { Metadata } from "next";
import { regionRows } from "@/components/regions/region-rows";
import { RegionTable } from "@/components/regions/region-table";
import { TroubledDeployments } from "@/components/regions/troubled-deployments";
import { LivePage } from "@/components/ui/page/live-page";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { getModels } from "@/lib/server/gateway/models";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Regions" };

export default async function RegionsPage() {
  await requireSession();
  const [regions, models] = await Promise.all([requestRoute("GET /regions"), getModels()]);
  const rows = regions.ok ? regionRows(regions.data.data, models.ok ? models.data.data : null) : [];
  return (
    <>
      <PageHeader
        title="Regions"
        description="Where this gateway runs models, and the health of each region."
        actions={<LivePage drawnAtMs={Date.now()} />}
      />
      {regions.ok ? (
        <div className="mb-8">
          <RegionTable rows={rows} />
        </div>
      ) : (
        <LoadFailure error={regions.error} />
      )}
      {regions.ok && (
        <Section
          title="Unhealthy deployments"
          description="Requests are routed to a healthy region of the same model, unless they specify a region."
        >
          {models.ok ? (
            <TroubledDeployments deployments={rows.flatMap((row) => row.troubled)} />
          ) : (
            <LoadFailure error={models.error} />
          )}
        </Section>
      )}
    </>
  );
}
