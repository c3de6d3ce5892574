import type { Endpoint } from "#contract/webhook.ts";
import { StatusPill } from "@/components/ui/status-pill";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { endpointLook } from "@/lib/status/endpoint";
import { HealthSparkline } from "./health-sparkline.tsx";
import { SuccessRate } from "./success-rate.tsx";

export function EndpointsTable({ endpoints }: { endpoints: Endpoint[] }) {
  return (
    <Table label="Webhook endpoints">
      <thead>
        <tr>
          <Th>Endpoint</Th>
          <Th>Status</Th>
          <Th>Last 24 h</Th>
          <Th numeric>Accepted</Th>
          <Th>Last success</Th>
          <Th>Events</Th>
          <Th>Secret ends in</Th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} endpoint={endpoint} />
        ))}
      </tbody>
    </Table>
  );
}

function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const { health } = endpoint;
  const look = endpointLook(endpoint.status);
  return (
    <Tr>
      <Td className="min-w-56 max-w-96">
        <RowLink href={`/webhooks/endpoints/${endpoint.id}`} className="block break-all">
          {endpoint.url.replace(/^https:\/\//, "")}
        </RowLink>
        {endpoint.description && (
          <span className="block truncate text-meta text-muted">{endpoint.description}</span>
        )}
      </Td>
      <Td>
        <StatusPill {...look} title={endpoint.disabled_reason ?? look.meaning} />
      </Td>
      <Td>{health && <HealthSparkline hourly={health.hourly} />}</Td>
      <Td numeric>
        <SuccessRate health={health} />
      </Td>
      <Td>
        <Time value={health?.last_success_at ?? null} />
      </Td>
      <Td className="text-muted">
        {endpoint.events.map((event) => event.replace("prediction.", "")).join(", ")}
      </Td>
      <Td className="font-mono text-muted">{endpoint.secret_hint}</Td>
    </Tr>
  );
}
