import type { Metadata } from "next";
import { searchedList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { DestinationsClient } from "./client";

export const metadata: Metadata = { title: "Destinations" };

export default async function DestinationsPage({ searchParams }: RouteProps) {
  await requireSession();
  const query = searchedList.queryOf(searchedList.viewOf(await searchParams), Date.now());
  return <DestinationsClient destinations={await requestRoute("GET /destinations", { query })} />;
}
