"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import type { List } from "#contract/list.ts";
import type { Resend } from "#contract/resends.ts";
import type { Delivery, Endpoint } from "#contract/webhook.ts";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { StatusPill } from "@/components/ui/status-pill";
import { EndpointFacts } from "@/components/webhooks/endpoints/endpoint-facts";
import { EndpointHealthSection } from "@/components/webhooks/endpoints/endpoint-health-section";
import { FailureStreak } from "@/components/webhooks/endpoints/failure-streak";
import { RecentDeliveries } from "@/components/webhooks/endpoints/recent-deliveries";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { endpointLook } from "@/lib/status/endpoint";
import { endpointAddress } from "@/lib/webhooks/endpoint-address";
import { EndpointControls } from "./endpoint-controls";

const EndpointAlert = dynamic(
  () => import("@/components/webhooks/endpoints/endpoint-alert").then((module) => module.EndpointAlert),
  { loading: () => null },
);

const ResendProgress = dynamic(
  () => import("@/components/webhooks/resends/resend-progress").then((module) => module.ResendProgress),
  { loading: () => null },
);

interface EndpointClientProps {
  initial: Endpoint;
  /** A run that sends events again to it now. */
  running: Resend | null;
  deliveries: GatewayResult<List<Delivery>>;
  /** What stands below, the same for every endpoint. */
  children: ReactNode;
}

const pollMs = 10_000;
const whileDisabledMs = 2_000;

/** One endpoint: its health, its recent deliveries and how to verify signatures. */
export function EndpointClient({ initial, running, deliveries, children }: EndpointClientProps) {
  const {
    data: endpoint,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.endpoint(initial.id),
    queryFn: ({ signal }) =>
      fetchRoute("GET /webhooks/endpoints/{id}", { params: { id: initial.id }, signal }),
    initialData: initial,
    // Deliveries that begin to wait are counted as soon as the list below shows them.
    refetchInterval: ({ state }) => (state.data?.status === "enabled" ? pollMs : whileDisabledMs),
  });
  // Set by the dialog that begins one.
  const { data: resend } = useQuery({
    queryKey: queryKeys.resend(initial.id),
    queryFn: () => running,
    initialData: running,
    enabled: false,
  });
  const failure = failureBehind(error);
  const look = endpointLook(endpoint.status);
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">{endpointAddress(endpoint.url)}</span>{" "}
            <StatusPill {...look} title={look.meaning} />
            <FailureStreak endpoint={endpoint} />
          </span>
        }
        {...(endpoint.description && { description: endpoint.description })}
        actions={<EndpointControls endpoint={endpoint} />}
      />
      {failure && (
        <div className="mb-4">
          <ErrorPanel error={failure} onRetry={() => void refetch()} />
        </div>
      )}
      {endpoint.status !== "enabled" && <EndpointAlert endpoint={endpoint} />}
      <EndpointFacts endpoint={endpoint} />
      {endpoint.health && <EndpointHealthSection health={endpoint.health} />}
      {resend?.id && <ResendProgress key={resend.id} initial={{ ...resend, id: resend.id }} />}
      <RecentDeliveries endpointId={endpoint.id} initial={deliveries} />
      {children}
    </>
  );
}
