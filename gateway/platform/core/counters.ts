/**
 * A counter with labels, read by `/metrics` and telemetry. Code that counts need not load the libraries of
 * either.
 */
export class Count {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  private readonly counts = new Map<string, { labels: Record<string, string>; value: number }>();

  constructor({ name, help, labelNames }: Pick<Count, "name" | "help" | "labelNames">) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
  }

  /** Label values come from our own lists or are names that operators chose, so there are few. */
  inc(labels: Record<string, string>): void {
    const key = this.labelNames.map((name) => labels[name]).join("\n");
    const count = this.counts.get(key);
    if (count) count.value += 1;
    else this.counts.set(key, { labels, value: 1 });
  }

  values(): { labels: Record<string, string>; value: number }[] {
    return [...this.counts.values()];
  }
}

/**
 * What this process has counted since its start; shown in `/metrics`. docs/operating.md describes the alarms.
 */
export const counters = {
  predictionsEnded: new Count({
    name: "gatehouse_predictions_ended_total",
    help: "Predictions that this process ended, by status and, for failed ones, error code",
    labelNames: ["status", "code"],
  }),
  deliveryAttempts: new Count({
    name: "gatehouse_delivery_attempts_total",
    help: "Delivery attempts by result: delivered or failed",
    labelNames: ["result"],
  }),
  upstreamTries: new Count({
    name: "gatehouse_upstream_tries_total",
    help: "Attempts at upstreams by provider and result: ok, or an error code",
    labelNames: ["provider", "result"],
  }),
  handovers: new Count({
    name: "gatehouse_handovers_total",
    help: "Failed attempts after which an upstream was tried again or another one was tried, by reason: busy, down, too_long, budget, failed or slow",
    labelNames: ["reason"],
  }),
  skippedEvents: new Count({
    name: "gatehouse_skipped_events_total",
    help: "Stream events of upstreams that were not valid JSON and were left out, by provider",
    labelNames: ["provider"],
  }),
  outputSignatures: new Count({
    name: "gatehouse_output_signatures_total",
    help: "Outputs to be signed, by result: signed, marked, unsupported, or why signing failed",
    labelNames: ["result"],
  }),
};
