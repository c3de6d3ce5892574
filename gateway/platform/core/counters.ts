import { goOnReasons } from "#contract/alias-constants.ts";
import { errorCatalogue } from "#contract/error.ts";
import { upstreamFailureCodes } from "./provider-error.ts";

/** The statuses of errors for which the caller is not to blame. */
export const serverErrors = 500;

/**
 * A counter with labels, read by `/metrics` and telemetry. Code that counts need not load the libraries of
 * either.
 */
export class Count {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  private readonly series: Series = { count: null, next: new Map() };

  constructor({ name, help, labelNames }: Pick<Count, "name" | "help" | "labelNames">) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
  }

  /** Label values come from our own lists or are names that operators chose, so there are few. */
  inc(labels: Record<string, string>, by = 1): void {
    this.add(labels, by);
  }

  /**
   * Shows the count from now on, at 0 if it is new. Prometheus sees no increase in a series that begins at 1,
   * so what raises an alarm must be there before it happens.
   */
  expect(labels: Record<string, string>): void {
    this.add(labels, 0);
  }

  private add(labels: Record<string, string>, value: number): void {
    // A step for each label finds the series without making a text of them, as every request counts several.
    let at = this.series;
    for (const name of this.labelNames) {
      const label = labels[name] ?? "";
      let next = at.next.get(label);
      if (!next) {
        next = { count: null, next: new Map() };
        at.next.set(label, next);
      }
      at = next;
    }
    if (at.count) at.count.value += value;
    else at.count = { labels, value };
  }

  values(): Counted[] {
    return countsIn(this.series);
  }
}

interface Counted {
  labels: Record<string, string>;
  value: number;
}

/** The counts below a label's value. */
interface Series {
  count: Counted | null;
  next: Map<string, Series>;
}

function countsIn({ count, next }: Series): Counted[] {
  return [...(count ? [count] : []), ...[...next.values()].flatMap(countsIn)];
}

/**
 * What this process has counted since its start; shown in `/metrics`. docs/monitoring.md describes the alarms.
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
  keyChoices: new Count({
    name: "gatehouse_key_choices_total",
    help: "Attempts at providers with several keys, by why their key was used: stays (the conversation's own), drawn, or favourite_resting",
    labelNames: ["provider", "choice"],
  }),
  promptTokens: new Count({
    name: "gatehouse_prompt_tokens_total",
    help: "Prompt tokens of answered chats by provider, and by whether they came from its cache: yes or no",
    labelNames: ["provider", "cached"],
  }),
  contents: new Count({
    name: "gatehouse_contents_total",
    help: "Contents of calls by what became of them: kept, or dropped because they could not be written in time or their key cannot be opened",
    labelNames: ["result"],
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
  requestErrors: new Count({
    name: "gatehouse_request_errors_total",
    help: "Requests that ended with an error of the gateway or of an upstream, by its code",
    labelNames: ["code"],
  }),
  outputSignatures: new Count({
    name: "gatehouse_output_signatures_total",
    help: "Outputs to be signed, by result: signed, marked, unsupported, or why signing failed",
    labelNames: ["result"],
  }),
};

counters.predictionsEnded.expect({ status: "succeeded", code: "" });
for (const code of upstreamFailureCodes) counters.predictionsEnded.expect({ status: "failed", code });
for (const reason of goOnReasons) counters.handovers.expect({ reason });
for (const result of ["delivered", "failed"]) counters.deliveryAttempts.expect({ result });
for (const [code, { status }] of Object.entries(errorCatalogue))
  if (status >= serverErrors) counters.requestErrors.expect({ code });

/** Expects the counts of a provider. */
export function expectCountsOf(provider: string): void {
  for (const result of ["ok", ...upstreamFailureCodes]) counters.upstreamTries.expect({ provider, result });
  counters.skippedEvents.expect({ provider });
}
