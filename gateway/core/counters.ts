import { Counter } from "prom-client";

/** What this process has done since its start; `/metrics` shows them. docs/operating.md has their alarms. */
export const counters = {
  predictionsEnded: new Counter<string>({
    name: "gatehouse_predictions_ended_total",
    help: "Predictions that this process ended, by status and, of failed ones, error code",
    labelNames: ["status", "code"],
    registers: [],
  }),
  deliveryAttempts: new Counter<string>({
    name: "gatehouse_delivery_attempts_total",
    help: "Attempts of deliveries by result: delivered or failed",
    labelNames: ["result"],
    registers: [],
  }),
  upstreamTries: new Counter<string>({
    name: "gatehouse_upstream_tries_total",
    help: "Tries at upstreams by provider and result: ok, or an error code",
    labelNames: ["provider", "result"],
    registers: [],
  }),
  outputSignatures: new Counter<string>({
    name: "gatehouse_output_signatures_total",
    help: "Outputs that were to be signed, by result: signed, marked, unsupported, or why it failed",
    labelNames: ["result"],
    registers: [],
  }),
};
