import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { copyList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { DestinationClient } from "./client";

export const metadata: Metadata = { title: "Destination" };

export default async function DestinationPage({ params, searchParams }: RouteProps<{ id: string }>) {
  await requireSession();
  const { id } = await params;
  const search = await searchParams;
  const query = { ...copyList.queryOf(copyList.viewOf(search), Date.now()), destination: id };
  const [destination, copies] = await Promise.all([
    requestRoute("GET /destinations/{id}", { params: { id } }),
    requestRoute("GET /copies", { query }),
  ]);
  if (destination.ok)
    return (
      <>
        <ReturnToRow list="/destinations" />
        <IgnoredFilters given={search} known={copyList.empty} />
        <DestinationClient key={id} initial={destination.data} copies={{ query, list: copies }} />
      </>
    );
  if (destination.error.code === "destination_not_found") notFound();
  return (
    <>
      <PageHeader title="Destination" />
      <LoadFailure error={destination.error} />
    </>
  );
}
