import type { Metadata } from "next";
import type { RouteProps } from "@/lib/page-props";
import { pageQueryOf } from "@/lib/page-query";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { DestinationsClient } from "./client";

export const metadata: Metadata = { title: "Destinations" };

export default async function DestinationsPage({ searchParams }: RouteProps) {
  await requireSession();
  const query = pageQueryOf(await searchParams);
  return <DestinationsClient destinations={await requestRoute("GET /destinations", { query })} />;
}
