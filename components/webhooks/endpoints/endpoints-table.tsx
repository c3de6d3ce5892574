import type { Endpoint } from "#contract/webhook.ts";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { Tooltip } from "@/components/ui/tooltip";
import { WithBreaks } from "@/components/ui/with-breaks";
import { endpointLook } from "@/lib/status/endpoint";
import { shortAddress } from "@/lib/webhooks/endpoint-address";
import { FailureStreak } from "./failure-streak.tsx";
import { HealthSparkline } from "./health-sparkline.tsx";
import { SuccessRate } from "./success-rate.tsx";

const shownLength = 72;

export function EndpointsTable({ endpoints }: { endpoints: Endpoint[] }) {
  return (
    <Table label="Webhook endpoints">
      <thead>
        <tr>
          <Th>Endpoint</Th>
          <Th>Status</Th>
          <Th>Last 24 h</Th>
          <Th numeric>Attempts accepted</Th>
          <Th>Last success</Th>
          <Th from="desktop">Events</Th>
          <Th from="wide">Secret ends in</Th>
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
  const { text, isCut } = shortAddress(endpoint.url, shownLength);
  const link = (
    <RowLink href={`/webhooks/endpoints/${endpoint.id}`} className="block wrap-anywhere">
      <WithBreaks text={text} before="/" />
    </RowLink>
  );
  return (
    <Tr>
      <Td className="max-w-96 tablet:min-w-56">
        {isCut ? (
          <Tooltip content={<span className="wrap-anywhere">{endpoint.url}</span>}>{link}</Tooltip>
        ) : (
          link
        )}
        {endpoint.description && (
          <span className="block truncate text-meta text-muted">{endpoint.description}</span>
        )}
      </Td>
      <Td>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StatusPill {...look} title={look.meaning} />
          <FailureStreak endpoint={endpoint} />
        </span>
      </Td>
      <Td label="Last 24 h">{health && <HealthSparkline hourly={health.hourly} />}</Td>
      <Td numeric label="Attempts accepted">
        <SuccessRate health={health} />
      </Td>
      <Td label="Last success">
        <Time value={health?.last_success_at ?? null} />
      </Td>
      <Td className="text-muted" from="desktop" label="Events">
        {endpoint.events.map((event) => event.replace("prediction.", "")).join(", ")}
      </Td>
      <Td className="font-mono text-muted" from="wide" label="Secret ends in">
        {endpoint.secret_hint}
      </Td>
    </Tr>
  );
}
