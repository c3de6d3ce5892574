/** An alarm: its condition, how long the condition must last, and what to do. */
export interface Alarm {
  name: string;
  /** PromQL. `$window` is the period of rates. */
  expr: string;
  forMinutes: number;
  severity: "page" | "ticket";
  summary: string;
  cure: string;
}

const share = (part: string, whole: string) => `${part} / ${whole}`;
const rate = (selector: string, by = "") => `sum${by}(rate(${selector}[$window]))`;

/** The alarms of docs/monitoring.md. `make.ts` writes them as Prometheus' rules. */
export const alarms: readonly Alarm[] = [
  {
    name: "GatehouseGone",
    expr: 'up{job="gatehouse"} == 0',
    forMinutes: 1,
    severity: "page",
    summary: "{{ $labels.instance }} does not answer /metrics",
    cure: "Check whether the process runs and reaches its database (/readyz). The supervisor or systemd should have restarted it.",
  },
  {
    name: "GatehousePredictionsWait",
    expr: `max(gatehouse_waiting{kind="predictions"}) > 20 and max(gatehouse_waiting{kind="predictions"}) > 2 * max(avg_over_time(gatehouse_waiting{kind="predictions"}[$day]))`,
    forMinutes: 15,
    severity: "ticket",
    summary: "{{ $value }} predictions have not ended, twice as many as usual",
    cure: "Start more workers, or look for a slow upstream on the page Health.",
  },
  {
    name: "GatehouseDeliveriesWait",
    expr: `max(gatehouse_waiting{kind="deliveries"}) > 1000`,
    forMinutes: 5,
    severity: "page",
    summary: "{{ $value }} deliveries are due and not sent",
    cure: "Start more workers, and check whether the database is slow.",
  },
  {
    name: "GatehouseFull",
    expr: "max by (kind) (gatehouse_full) > 0",
    forMinutes: 1,
    severity: "page",
    summary: "The {{ $labels.kind }} is full",
    cure: "Free some space: on the object store or its disk (store), on the disk of the database (database). The gateway then continues automatically.",
  },
  {
    name: "GatehouseMessagesUnsent",
    expr: `max(gatehouse_waiting{kind="messages"}) > 0`,
    forMinutes: 15,
    severity: "ticket",
    summary: "{{ $value }} e-mails or posts to incoming webhooks could not be sent",
    cure: "The log names the reason of each. Send a test e-mail from the settings, and check whether the mail server answers.",
  },
  {
    name: "GatehouseResponsesWait",
    expr: `max(gatehouse_waiting{kind="responses"}) > 100`,
    forMinutes: 15,
    severity: "ticket",
    summary: "{{ $value }} responses in the background have not ended",
    cure: "Start more workers, or look for a slow upstream on the page Health.",
  },
  {
    name: "GatehouseBatchesStand",
    expr: `max(gatehouse_waiting{kind="batch_rows"}) > 0 and max(gatehouse_waiting{kind="batch_rows"}) >= max(gatehouse_waiting{kind="batch_rows"} offset $window)`,
    forMinutes: 30,
    severity: "ticket",
    summary: "{{ $value }} rows of running batches wait, and no row has started",
    cure: "The page Batches shows why the rows wait: a limit of the key, a budget, an upstream. Start more workers if there is no such reason.",
  },
  {
    name: "GatehouseCopiesWait",
    expr: `max(gatehouse_waiting{kind="copies"}) > 1000`,
    forMinutes: 15,
    severity: "ticket",
    summary: "{{ $value }} files are due to be copied to the accounts' own buckets",
    cure: "Start more workers. The log names the slow destinations.",
  },
  {
    name: "GatehouseRetentionLags",
    expr: "max by (kind) (gatehouse_retention_lag_seconds) > 300",
    forMinutes: 5,
    severity: "ticket",
    summary: "Expired {{ $labels.kind }} should have been removed {{ $value | humanizeDuration }} ago",
    cure: "Start more workers. The log shows whether the object store rejects removals.",
  },
  {
    name: "GatehouseAuditStreamLags",
    expr: "max(gatehouse_audit_stream_lag_seconds) > 900",
    forMinutes: 5,
    severity: "ticket",
    summary: "The oldest audit event has waited for {{ $value | humanizeDuration }} to leave",
    cure: "The page Health says why the last attempt failed. Events wait for AUDIT_STREAM_KEEP_DAYS; then they are dropped.",
  },
  {
    name: "GatehouseErrors",
    expr: `${share(rate('gatehouse_request_seconds_count{status=~"5.."}'), rate("gatehouse_request_seconds_count"))} > 0.01`,
    forMinutes: 5,
    severity: "page",
    summary: "{{ $value | humanizePercentage }} of the requests end with a 5xx",
    cure: "The log has each of them with its request id. /readyz shows whether the database and the store can be reached.",
  },
  {
    name: "GatehouseListsSlow",
    expr: `histogram_quantile(0.99, ${rate('gatehouse_request_seconds_bucket{route="/v1/webhooks/deliveries"}', " by (le)")}) > 1`,
    forMinutes: 5,
    severity: "ticket",
    summary: "One in a hundred reads of deliveries takes {{ $value | humanizeDuration }} or longer",
    cure: "Look for a long transaction in the database, and check whether autovacuum keeps up.",
  },
  {
    name: "GatehousePredictionsFail",
    expr: `${share(rate('gatehouse_predictions_ended_total{status="failed"}'), rate("gatehouse_predictions_ended_total"))} > 0.05`,
    forMinutes: 15,
    severity: "ticket",
    summary: "{{ $value | humanizePercentage }} of the predictions fail",
    cure: "Look for their common error code on the page Predictions, with status failed.",
  },
  {
    name: "GatehouseOutcomeUnknown",
    expr: 'sum(increase(gatehouse_predictions_ended_total{code="upstream_outcome_unknown"}[$window])) > 0',
    forMinutes: 0,
    severity: "ticket",
    summary: "Runs were sent to an upstream by a process that ended before it had the answer",
    cure: "Compare with the upstream's list of jobs, and find out why the process ended.",
  },
  {
    name: "GatehouseDeliveriesFail",
    expr: `${share(rate('gatehouse_delivery_attempts_total{result="failed"}'), rate("gatehouse_delivery_attempts_total"))} > 0.5`,
    forMinutes: 15,
    severity: "page",
    summary: "{{ $value | humanizePercentage }} of the attempts at receivers fail",
    cure: "The gateway may not reach the internet. Look at the errors on the page Deliveries.",
  },
  {
    name: "GatehouseUpstreamFails",
    expr: `${share(rate('gatehouse_upstream_tries_total{result!="ok"}', " by (provider)"), rate("gatehouse_upstream_tries_total", " by (provider)"))} > 0.1`,
    forMinutes: 5,
    severity: "ticket",
    summary: "{{ $value | humanizePercentage }} of the tries at {{ $labels.provider }} fail",
    cure: "The page Health has the last error of each model at this provider.",
  },
  {
    name: "GatehouseProviderDown",
    expr: "max by (provider) (max_over_time(gatehouse_open_breakers[$window])) > 0",
    forMinutes: 5,
    severity: "page",
    summary: "Models of {{ $labels.provider }} are not asked, because five tries in a row failed",
    cure: "The page Health has the last error of each model at this provider. The gateway asks again by itself.",
  },
  {
    name: "GatehouseModelsDown",
    expr: 'sum(increase(gatehouse_request_errors_total{code="no_healthy_region"}[$window])) > 0',
    forMinutes: 0,
    severity: "page",
    summary: "Requests were refused, because their model has no healthy region",
    cure: "The page Health shows which upstreams fail. A second route, or an alias with a second model, would have answered.",
  },
  {
    name: "GatehouseHandovers",
    expr: `${rate("gatehouse_handovers_total", " by (reason)")} > 10 * sum by (reason) (rate(gatehouse_handovers_total[$day] offset $window)) and sum by (reason) (increase(gatehouse_handovers_total[$window])) > 20`,
    forMinutes: 15,
    severity: "ticket",
    summary: "Ten times as many tries as usual were handed over ({{ $labels.reason }})",
    cure: "An upstream is ill, and its users are served by others. The page Health shows which one.",
  },
  {
    name: "GatehouseEventsSkipped",
    expr: "sum by (provider) (increase(gatehouse_skipped_events_total[$window])) > 0",
    forMinutes: 15,
    severity: "ticket",
    summary: "Streams of {{ $labels.provider }} have events that are no JSON and were left out",
    cure: "Something between the gateway and the provider breaks its streams. Look for a proxy, and at the log lines of these streams.",
  },
  {
    name: "GatehouseOutputsUnsigned",
    expr: 'sum by (result) (increase(gatehouse_output_signatures_total{result!~"signed|marked|unsupported"}[$window])) > 0',
    forMinutes: 5,
    severity: "ticket",
    summary: "Outputs were stored without a signature ({{ $labels.result }})",
    cure: "The log has each of them. The operators' page Signing shows the certificate and when it ends.",
  },
  {
    name: "GatehouseMemory",
    expr: 'process_resident_memory_bytes{job="gatehouse"} > 1e9',
    forMinutes: 15,
    severity: "ticket",
    summary: "{{ $labels.instance }} uses {{ $value | humanize1024 }}B of memory",
    cure: "With several processes on the port this is their sum: allow 1 GB each.",
  },
  {
    name: "GatehouseEventLoopLags",
    expr: 'nodejs_eventloop_lag_p99_seconds{job="gatehouse"} > 0.2',
    forMinutes: 5,
    severity: "ticket",
    summary: "The event loop of {{ $labels.instance }} is {{ $value | humanizeDuration }} late",
    cure: "The page Health shows which account and key load it now: limit them there, or run more processes (GATEWAY_PROCESSES) or machines.",
  },
];

/** Time scale of the rules: real for production, short for their test. */
export interface Scale {
  /** Values of `$window` and `$day`, in Prometheus' notation. */
  window: string;
  day: string;
  /** Length of one unit of `forMinutes`, in seconds. */
  minuteSeconds: number;
}

export const usual: Scale = { window: "5m", day: "1d", minuteSeconds: 60 };

/** Prometheus' rules as JSON, which is valid YAML. */
export function rulesFile({ window, day, minuteSeconds }: Scale): string {
  const rules = alarms.map(({ name, expr, forMinutes, severity, summary, cure }) => ({
    alert: name,
    expr: expr.replaceAll("$window", window).replaceAll("$day", day),
    for: `${forMinutes * minuteSeconds}s`,
    labels: { severity },
    annotations: { summary, cure },
  }));
  return `${JSON.stringify({ groups: [{ name: "gatehouse", rules }] }, null, 2)}\n`;
}
