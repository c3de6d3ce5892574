import type { Metrics } from "./supervised.ts";

/** Metrics of which the highest value is shown instead of a sum, because the slowest process matters. */
const lags = /^nodejs_eventloop_lag_(seconds|p\d+_seconds)$/;

/**
 * Adds up the metrics of several processes. Counts of an ended process stay in the sum, because a counter
 * must never fall.
 */
export class MetricsSum<Process> {
  private readonly latest = new Map<Process, Metrics>();
  private readonly ended: Metrics[] = [];
  private folding: Promise<void> = Promise.resolve();

  set(of: Process, metrics: Metrics): void {
    this.latest.set(of, metrics.map(withAggregator));
  }

  end(of: Process): void {
    const last = this.latest.get(of);
    if (!last) return;
    this.latest.delete(of);
    this.ended.push(last.filter(isCounted));
    this.folding = this.folding.then(() => this.fold());
  }

  async text(): Promise<string> {
    const { AggregatorRegistry } = await import("prom-client");
    return AggregatorRegistry.aggregate([...this.latest.values(), ...this.ended]).metrics();
  }

  /** Folds all ended processes into one set of metrics. */
  private async fold(): Promise<void> {
    const { AggregatorRegistry } = await import("prom-client");
    const { length } = this.ended;
    this.ended.splice(0, length, await AggregatorRegistry.aggregate([...this.ended]).getMetricsAsJSON());
  }
}

function withAggregator(metric: Metrics[number]): Metrics[number] {
  return lags.test(metric.name) ? { ...metric, aggregator: "max" } : metric;
}

/** At run time the type is a string, whatever the declaration says. */
function isCounted({ type }: Metrics[number]): boolean {
  return ["counter", "histogram"].includes(String(type));
}
