import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { UploadsView } from "@/components/uploads/uploads-view";
import { uploadList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Uploads" };

export default async function UploadsPage({ searchParams }: RouteProps) {
  await requireSession();
  const query = uploadList.queryOf(uploadList.viewOf(await searchParams), Date.now());
  const uploads = await requestRoute("GET /uploads", { query });
  const offered = uploads.ok || uploads.error.code !== "route_not_found";
  return (
    <>
      <IgnoredFilters given={await searchParams} known={uploadList.empty} />
      <PageHeader title="Uploads" description="Private input files, kept for a limited time." />
      {offered && !uploads.ok ? (
        <LoadFailure error={uploads.error} />
      ) : (
        <UploadsView initial={uploads.ok ? { query, list: uploads.data } : null} />
      )}
    </>
  );
}
