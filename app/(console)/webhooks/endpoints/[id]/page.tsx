import { cache, type ReactNode } from "react";
import type { Delivery, Endpoint } from "#contract/webhook.ts";
import { useWords } from "#words";
import { page } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { EndpointFailure } from "@/components/webhooks/endpoints/endpoint-failure";
import { ReceiverCode } from "@/components/webhooks/secret/receiver-code";
import { VerificationHelp } from "@/components/webhooks/secret/verification-help";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { words } from "@/lib/server/words";
import { endpointAddress } from "@/lib/webhooks/addresses";
import { failureStreak } from "@/lib/webhooks/refusals";
import { EndpointClient } from "./client.tsx";

/** Cached, so that the title and the page share one request. */
const readEndpoint = cache((id: string) => requestRoute("GET /webhooks/endpoints/{id}", { params: { id } }));

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const endpoint = await readEndpoint((await params).id);
  const t = await words("webhooks");
  return {
    title: endpoint.ok ? t("endpointAt", { address: endpointAddress(endpoint.data.url) }) : t("endpoint"),
  };
}

const recentCount = 10;

export default page<"id", "webhooks">(
  { title: "endpoint", parts: ["webhooks", "secrets", "states"] },
  async ({ params: { id }, requestRoute, need }) => {
    const [endpoint, deliveries, resends] = await Promise.all([
      readEndpoint(id),
      requestRoute("GET /webhooks/deliveries", { query: { endpoint_id: id, limit: recentCount } }),
      requestRoute("GET /webhooks/endpoints/{id}/resends", { params: { id }, query: { limit: 1 } }),
    ]);
    if (!endpoint.ok && endpoint.error.code === "route_not_found") return <NoEndpointPages id={id} />;
    const [newest] = resends.ok ? resends.data.data : [];
    const shown = await need(endpoint);
    const running = newest?.status === "running" ? newest : null;
    return (
      <EndpointClient
        key={id}
        initial={shown}
        running={running}
        deliveries={deliveries}
        lastFailure={await lastFailure(shown, deliveries.ok ? deliveries.data.data : [])}
      >
        <ReturnToRow list="/webhooks/endpoints" />
        <VerificationHelp code={<ReceiverCode />} />
      </EndpointClient>
    );
  },
);

/** What the receiver answered to the newest attempt, of an endpoint that accepts nothing. */
async function lastFailure(endpoint: Endpoint, newest: readonly Delivery[]): Promise<ReactNode> {
  if (endpoint.status !== "auto-disabled" && failureStreak(endpoint) === null) return null;
  const failed =
    newest.find(({ last_error: error }) => error !== null) ?? (await newestDeadLetter(endpoint.id));
  if (!failed) return null;
  const read = await requestRoute("GET /webhooks/deliveries/{id}", { params: { id: failed.id } });
  const attempt = read.ok ? read.data.attempt_log.at(-1) : undefined;
  return (
    attempt?.error_code && (
      <EndpointFailure deliveryId={failed.id} attempt={attempt} health={endpoint.health} />
    )
  );
}

async function newestDeadLetter(endpointId: string): Promise<Delivery | undefined> {
  const query = { endpoint_id: endpointId, status: "dead-letter", limit: 1 } as const;
  const answer = await requestRoute("GET /webhooks/deliveries", { query });
  return answer.ok ? answer.data.data[0] : undefined;
}

function NoEndpointPages({ id }: { id: string }) {
  const t = useWords("webhooks");
  const deliveries = `/webhooks/deliveries?endpoint_id=${encodeURIComponent(id)}`;
  return (
    <>
      <PageHeader title={t("endpoint")} />
      <NotOffered
        what={t("endpointPages")}
        action={<LinkButton href={deliveries}>{t("viewDeliveries")}</LinkButton>}
      >
        {t("youCanStillAddEndpoints")}
      </NotOffered>
    </>
  );
}
