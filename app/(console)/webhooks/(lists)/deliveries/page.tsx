import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { deliveryList } from "@/lib/webhooks/delivery-view";
import { DeliveriesClient } from "./client";

export const metadata: Metadata = { title: "Deliveries" };

const maxEndpoints = 100;

export default async function DeliveriesPage({ searchParams }: RouteProps) {
  await requireSession();
  const query = deliveryList.queryOf(deliveryList.viewOf(await searchParams), Date.now());
  const [deliveries, endpoints] = await Promise.all([
    requestRoute("GET /webhooks/deliveries", { query }),
    requestRoute("GET /webhooks/endpoints", { query: { limit: maxEndpoints } }),
  ]);
  const choices = endpoints.ok
    ? endpoints.data.data.map(({ id, url, description }) => ({ id, url, description }))
    : null;
  return (
    <>
      <IgnoredFilters given={await searchParams} known={deliveryList.empty} />
      <DeliveriesClient initial={{ query, deliveries }} endpoints={choices} />
    </>
  );
}
