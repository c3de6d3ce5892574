"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import type {
  DatabaseServer,
  DeploymentHealth,
  HealthReport,
  UpstreamRateLimit,
} from "#contract/operator/health.ts";
import { useFormats, useWords } from "#words";
import { UpstreamFailure } from "@/components/operator/upstream-failure";
import { StatusPill } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { useListView } from "@/components/ui/list/use-list-view";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { LiveSwitch } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time } from "@/components/ui/time";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatDuration, formatNumber } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { deploymentLook } from "@/lib/status/breaker";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";
import { healthView, minutesOf } from "./period.ts";

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
  { value: "15", label: "period15m" },
  { value: "60", label: "period1h" },
  { value: "360", label: "period6h" },
  { value: "1440", label: "period24h" },
] as const;

interface HealthClientProps {
  initial: HealthReport | null;
  /** Why there was no report when the page was loaded. */
  outage: GatewayFailure | null;
}

/** Health of the providers, measured with real requests and predictions. The gateway sends no probes. */
export function HealthClient({ initial, outage }: HealthClientProps) {
  const t = useWords("operatorHealth");
  const { view, change } = useListView(healthView);
  const minutes = minutesOf(view);
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
        title={t("health")}
        description={t("healthOfEachModelAt")}
        actions={
          <>
            {data && <LiveSwitch paused={paused} onChange={setPaused} updatedAtMs={dataUpdatedAt} />}
            <Button onClick={() => setExamining(true)}>{t("doctor")}</Button>
          </>
        }
      />
      <div className="mb-3">
        <RadioGroup
          legend={t("time")}
          hideLegend
          appearance="segments"
          options={periods.map(({ value, label }) => ({ value, label: t(label) }))}
          value={String(minutes)}
          onChange={(minutes) => change({ minutes })}
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
            title={t("nothingRunsAtAProvider")}
            body={t("mapAModelToA")}
            action={<LinkButton href="/operator/mapping">{t("openTheMapping")}</LinkButton>}
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

function DatabaseLine({ database: { version, kind, released_on, newer_on } }: { database: DatabaseServer }) {
  const t = useWords("operatorHealth");
  const last = newer_on.at(-1);
  return (
    <p className="mt-4 text-table text-muted">
      {t(released_on ? "databaseReleased" : "database", {
        version: String(version),
        kind,
        released: released_on ?? "",
      })}{" "}
      {last && (
        <>
          {t("newerReleases", { count: newer_on.length, last })}{" "}
          <a href="/public/help/operating#the-release-of-the-database" className="text-accent underline">
            {t("whatThisMeans")}
          </a>
        </>
      )}
    </p>
  );
}

function HealthTable({ rows }: { rows: readonly DeploymentHealth[] }) {
  const t = useWords("operatorHealth");
  return (
    <Table label={t("healthOfTheProviders")}>
      <thead>
        <tr>
          <Th>{t("modelAtProvider")}</Th>
          <Th>{t("state")}</Th>
          <Th numeric>{t("runs")}</Th>
          <Th numeric>{t("errors")}</Th>
          <Th numeric from="desktop">
            {t("median")}
          </Th>
          <Th numeric from="desktop">
            {t("n95thPercentile")}
          </Th>
          <Th>{t("lastSuccess")}</Th>
          <Th from="wide">{t("providersRateLimit")}</Th>
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
  const format = useFormats();
  const t = useWords("operatorHealth");
  const { provider, model, region, breaker, runs, errors, error_rate, latency_ms, last_failure } = row;
  const look = deploymentLook(t, row);
  const waiting = [
    row.running > 0 && t("countRunning", { count: row.running }),
    row.queued > 0 && t("countWaiting", { count: row.queued }),
  ].filter(Boolean);
  return (
    <Tr>
      <Td className="max-w-80">
        <span className="block font-mono wrap-anywhere">{model}</span>
        <span className="block text-meta text-muted wrap-anywhere">
          {t(row.managed_by === null ? "placeRemoved" : "place", { provider, region })}
        </span>
        {waiting.length > 0 && (
          <span className="block text-meta text-muted">{listText(t.language, waiting, "plain")}</span>
        )}
        {last_failure && (
          <span className="block text-meta text-muted wrap-anywhere">
            <Time value={last_failure.at} />: <UpstreamFailure {...last_failure} />
          </span>
        )}
      </Td>
      <Td>
        <StatusPill {...look} title={look.meaning} />
        {breaker.open_until && (
          <span className="block text-meta text-muted">
            {t.rich("triedAgainAt", {}, { time: () => <Time key="time" value={breaker.open_until} /> })}
          </span>
        )}
      </Td>
      <Td numeric label={t("runs")}>
        {formatNumber(runs)}
      </Td>
      <Td numeric label={t("errors")}>
        {formatNumber(errors)}
        {error_rate !== null && errors > 0 && (
          <span className="block text-meta text-muted">{format.percent(error_rate * 100, 1)}</span>
        )}
      </Td>
      <Td numeric from="desktop" label={t("median")}>
        {latency_ms.p50 === null ? "–" : formatDuration(latency_ms.p50, t.language)}
      </Td>
      <Td numeric from="desktop" label={t("n95thPercentile")}>
        {latency_ms.p95 === null ? "–" : formatDuration(latency_ms.p95, t.language)}
      </Td>
      <Td label={t("lastSuccess")}>
        <Time value={row.last_success_at} />
      </Td>
      <Td className="text-meta text-muted" from="wide" label={t("providersRateLimit")}>
        {row.rate_limit ? limitText(t, row.rate_limit) : "–"}
      </Td>
    </Tr>
  );
}

/** The provider's latest rate-limit headers, e.g. "98 of 100 requests, 9,000 of 10,000 tokens left". */
function limitText(
  t: Words<"operatorHealth">,
  { limit_requests, remaining_requests, limit_tokens, remaining_tokens }: UpstreamRateLimit,
): string {
  const part = (left: number | null, most: number | null, unit: "requests" | "tokens") =>
    left === null
      ? []
      : [most === null ? t("leftOf", { left, unit }) : t("leftOfMost", { left, most, unit })];
  const parts = [
    ...part(remaining_requests, limit_requests, "requests"),
    ...part(remaining_tokens, limit_tokens, "tokens"),
  ];
  return parts.length > 0 ? t("limitLeft", { parts: listText(t.language, parts, "plain") }) : "–";
}
