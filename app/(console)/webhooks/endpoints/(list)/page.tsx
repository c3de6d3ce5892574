import type { Metadata } from "next";
import { LocalForwarding } from "@/components/webhooks/endpoints/local-forwarding";
import { endpointList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { env } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { EndpointsClient } from "./client";

export const metadata: Metadata = { title: "Webhook endpoints" };

export default async function EndpointsPage({ searchParams }: RouteProps) {
  await requireSession();
  const query = endpointList.queryOf(endpointList.viewOf(await searchParams), Date.now());
  const endpoints = await requestRoute("GET /webhooks/endpoints", { query });
  return (
    <EndpointsClient endpoints={endpoints}>
      <LocalForwarding gatewayUrl={`${env.mediaOrigin}/v1`} />
    </EndpointsClient>
  );
}
