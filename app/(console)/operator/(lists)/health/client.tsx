"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { useState } from "react";
import type {
  DatabaseServer,
  DeploymentHealth,
  HealthReport,
  UpstreamRateLimit,
} from "#contract/operator/health.ts";
import { StatusPill } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { LiveSwitch } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time } from "@/components/ui/time";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatCount, formatDuration, formatNumber } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { deploymentLook } from "@/lib/status/breaker";
import { healthSearchParams } from "../../search-params.ts";

const DoctorDialog = dynamic(
  () => import("@/components/operator/doctor-dialog").then((module) => module.DoctorDialog),
  { ssr: false },
);

const AuditStreamLine = dynamic(
  () => import("@/components/operator/audit-stream-line").then((module) => module.AuditStreamLine),
  { loading: () => null },
);

const Outage = dynamic(() => import("@/components/operator/health-alerts").then((module) => module.Outage), {
  loading: () => null,
});

const HealthAlerts = dynamic(
  () => import("@/components/operator/health-alerts").then((module) => module.HealthAlerts),
  { loading: () => null },
);

/** Whether something of the installation itself is wrong. */
function hasAlerts(report: HealthReport): boolean {
  const { database_full_since: database, store_full_since: store, contents_failing_since: contents } = report;
  return Boolean(database ?? store ?? contents ?? report.audit_stream?.late);
}

const pollMs = 10_000;

const periods = [
  { value: "15", label: "15 min" },
  { value: "60", label: "1 h" },
  { value: "360", label: "6 h" },
  { value: "1440", label: "24 h" },
];

interface HealthClientProps {
  initial: HealthReport | null;
  /** Why there was no report when the page was loaded. */
  outage: GatewayFailure | null;
}

/** Health of the providers, measured with real requests and predictions. The gateway sends no probes. */
export function HealthClient({ initial, outage }: HealthClientProps) {
  const [minutes, setMinutes] = useQueryState("minutes", healthSearchParams.minutes);
  const [paused, setPaused] = useState(false);
  const [examining, setExamining] = useState(false);
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ["operator", "health", minutes],
    queryFn: ({ signal }) => fetchRoute("GET /operator/health", { query: { minutes }, signal }),
    ...(minutes === initial?.minutes && { initialData: initial }),
    placeholderData: (previous) => previous,
    refetchInterval: paused ? false : pollMs,
  });
  // While the first report is asked for again, there is no error.
  const failure = failureBehind(error) ?? (data ? null : outage);
  return (
    <>
      <PageHeader
        title="Health"
        description="Health of each model at its provider, from real traffic."
        actions={
          <>
            {data && <LiveSwitch paused={paused} onChange={setPaused} updatedAtMs={dataUpdatedAt} />}
            <Button onClick={() => setExamining(true)}>Doctor</Button>
          </>
        }
      />
      <div className="mb-3">
        <RadioGroup
          legend="Time"
          hideLegend
          appearance="segments"
          options={periods}
          value={String(minutes)}
          onChange={(value) => void setMinutes(Number(value))}
        />
      </div>
      {failure && (
        <div className="mb-3">
          {failure.code === "service_unavailable" ? (
            <Outage message={failure.message} hasFigures={data !== undefined} pollMs={pollMs} />
          ) : (
            <ErrorPanel error={failure} onRetry={() => void refetch()} />
          )}
        </div>
      )}
      {data && hasAlerts(data) && <HealthAlerts report={data} />}
      {data &&
        (data.data.length === 0 ? (
          <EmptyState
            drawing="signal"
            title="Nothing runs at a provider yet"
            body="Map a model to a provider. Errors and latency appear here after the first requests."
            action={<LinkButton href="/operator/mapping">Open the mapping</LinkButton>}
          />
        ) : (
          <HealthTable rows={data.data} />
        ))}
      {data?.audit_stream && <AuditStreamLine stream={data.audit_stream} />}
      {data && <DatabaseLine database={data.database} />}
      {examining && <DoctorDialog onClose={() => setExamining(false)} />}
    </>
  );
}

const databaseKinds: Record<DatabaseServer["kind"], string> = {
  bundled: "the bundled one",
  installed: "this machine's",
  own: "of DATABASE_URL",
};

function DatabaseLine({ database: { version, kind, released_on, newer_on } }: { database: DatabaseServer }) {
  const last = newer_on.at(-1);
  return (
    <p className="mt-4 text-table text-muted">
      Database: PostgreSQL {version}, {databaseKinds[kind]}
      {released_on && `, released on ${released_on}`}.{" "}
      {last && (
        <>
          Since then {formatCount(newer_on.length, "minor release")} came out, the last on {last}.{" "}
          <a href="/public/help/operating#the-release-of-the-database" className="text-accent underline">
            What this means
          </a>
        </>
      )}
    </p>
  );
}

function HealthTable({ rows }: { rows: readonly DeploymentHealth[] }) {
  return (
    <Table label="Health of the providers">
      <thead>
        <tr>
          <Th>Model at provider</Th>
          <Th>State</Th>
          <Th numeric>Runs</Th>
          <Th numeric>Errors</Th>
          <Th numeric from="desktop">
            Median
          </Th>
          <Th numeric from="desktop">
            95th percentile
          </Th>
          <Th>Last success</Th>
          <Th from="wide">Provider's rate limit</Th>
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
            tried again <Time value={breaker.open_until} />
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
      <Td numeric from="desktop" label="Median">
        {latency_ms.p50 === null ? "–" : formatDuration(latency_ms.p50)}
      </Td>
      <Td numeric from="desktop" label="95th percentile">
        {latency_ms.p95 === null ? "–" : formatDuration(latency_ms.p95)}
      </Td>
      <Td label="Last success">
        <Time value={row.last_success_at} />
      </Td>
      <Td className="text-meta text-muted" from="wide" label="Provider's rate limit">
        {row.rate_limit ? limitText(row.rate_limit) : "–"}
      </Td>
    </Tr>
  );
}

/** The provider's latest rate-limit headers, e.g. "98 of 100 requests, 9,000 of 10,000 tokens left". */
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
