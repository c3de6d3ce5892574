import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { IgnoredFilters } from "@/components/ui/ignored-filters";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { queryOf } from "@/lib/webhooks/delivery-view";
import { deliverySearch } from "../search-params";
import { DeliveriesClient } from "./client";

const loadSearch = createLoader(deliverySearch);

export const metadata: Metadata = { title: "Deliveries" };

const mostEndpoints = 100;

export default async function DeliveriesPage({ searchParams }: RouteProps) {
  await requireSession();
  const view = await loadSearch(searchParams);
  const query = queryOf(view, Date.now());
  const [deliveries, endpoints] = await Promise.all([
    requestRoute("GET /webhooks/deliveries", { query }),
    requestRoute("GET /webhooks/endpoints", { query: { limit: mostEndpoints } }),
  ]);
  const choices = endpoints.ok ? endpoints.data.data.map(({ id, url }) => ({ id, url })) : null;
  return (
    <>
      <IgnoredFilters given={await searchParams} known={deliverySearch} />
      <DeliveriesClient initial={{ query, deliveries }} endpoints={choices} />
    </>
  );
}
