import type { DeploymentHealth, UpstreamRateLimit } from "#contract/operator/health.ts";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { formatDuration, formatNumber } from "@/lib/format";
import { deploymentLook } from "@/lib/status/breaker";

export function HealthTable({ rows }: { rows: readonly DeploymentHealth[] }) {
  return (
    <Table label="Health of the upstreams">
      <thead>
        <tr>
          <Th>Model at provider</Th>
          <Th>State</Th>
          <Th numeric>Runs</Th>
          <Th numeric>Errors</Th>
          <Th numeric from="desktop">
            Half within
          </Th>
          <Th numeric from="desktop">
            95% within
          </Th>
          <Th>Last success</Th>
          <Th from="wide">Rate limit there</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <HealthRow key={`${row.provider} ${row.model} ${row.region}`} row={row} />
        ))}
      </tbody>
    </Table>
  );
}

function HealthRow({ row }: { row: DeploymentHealth }) {
  const { provider, model, region, breaker, runs, errors, error_rate, latency_ms, last_failure } = row;
  const look = deploymentLook(row);
  const waiting = [
    row.running > 0 && `${formatNumber(row.running)} running`,
    row.queued > 0 && `${formatNumber(row.queued)} waiting`,
  ].filter(Boolean);
  return (
    <Tr>
      <Td className="max-w-80">
        <span className="block font-mono wrap-anywhere">{model}</span>
        <span className="block text-meta text-muted wrap-anywhere">
          {provider}, {region}
          {row.managed_by === null && ", removed"}
        </span>
        {waiting.length > 0 && <span className="block text-meta text-muted">{waiting.join(", ")}</span>}
        {last_failure && (
          <span className="block text-meta text-muted wrap-anywhere">
            <Time value={last_failure.at} />: {last_failure.message}
          </span>
        )}
      </Td>
      <Td>
        <StatusPill {...look} title={look.meaning} />
        {breaker.open_until && (
          <span className="block text-meta text-muted">
            asked again <Time value={breaker.open_until} />
          </span>
        )}
      </Td>
      <Td numeric label="Runs">
        {formatNumber(runs)}
      </Td>
      <Td numeric label="Errors">
        {formatNumber(errors)}
        {error_rate !== null && errors > 0 && (
          <span className="block text-meta text-muted">{(error_rate * 100).toFixed(1)}%</span>
        )}
      </Td>
      <Td numeric from="desktop" label="Half within">
        {latency_ms.p50 === null ? "–" : formatDuration(latency_ms.p50)}
      </Td>
      <Td numeric from="desktop" label="95% within">
        {latency_ms.p95 === null ? "–" : formatDuration(latency_ms.p95)}
      </Td>
      <Td label="Last success">
        <Time value={row.last_success_at} />
      </Td>
      <Td className="text-meta text-muted" from="wide" label="Rate limit there">
        {row.rate_limit ? limitText(row.rate_limit) : "–"}
      </Td>
    </Tr>
  );
}

/** What the upstream said last, e.g. "98 of 100 requests, 9,000 of 10,000 tokens left". */
function limitText({
  limit_requests,
  remaining_requests,
  limit_tokens,
  remaining_tokens,
}: UpstreamRateLimit): string {
  const part = (left: number | null, most: number | null, unit: string) =>
    left === null ? [] : [`${formatNumber(left)}${most === null ? "" : ` of ${formatNumber(most)}`} ${unit}`];
  const parts = [
    ...part(remaining_requests, limit_requests, "requests"),
    ...part(remaining_tokens, limit_tokens, "tokens"),
  ];
  return parts.length > 0 ? `${parts.join(", ")} left` : "–";
}
