import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/ignored-filters";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import { uploadFilterParsers, uploadPageSize } from "@/components/uploads/filter";
import { UploadsView } from "@/components/uploads/uploads-view";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { loadUploadFilter } from "./search-params.ts";

export const metadata: Metadata = { title: "Uploads" };

export default async function UploadsPage({ searchParams }: RouteProps) {
  await requireSession();
  const filter = await loadUploadFilter(searchParams);
  const uploads = await requestRoute("GET /uploads", { query: { ...filter, limit: uploadPageSize } });
  const offered = uploads.ok || uploads.error.code !== "route_not_found";
  return (
    <>
      <IgnoredFilters given={await searchParams} known={uploadFilterParsers} />
      <PageHeader
        title="Uploads"
        description="Private files that you can use as input. They are kept for a limited time."
      />
      {offered && !uploads.ok ? (
        <LoadFailure error={uploads.error} />
      ) : (
        <UploadsView initial={uploads.ok ? uploads.data : null} initialFilter={filter} />
      )}
    </>
  );
}
