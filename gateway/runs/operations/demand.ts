import type { CatalogOperation } from "#contract/catalog.ts";
import type { Ask } from "#gateway/billing/usage/budgets.ts";
import type { Admitted } from "./admit.ts";

/** How much a run can use at most, in the form that budgets accept. */
export type Demand = Ask;

/** The most units that a run can use; null if its input does not limit them. */
export function unitsAtMost({ compiled, body }: Admitted): number | null {
  const ask = demandOf(compiled.operation, body);
  return ask === null || "runs" in ask ? null : ask.quantity;
}

/** The most that a run can use according to its input; null if that depends on its media. */
export function demandOf(operation: CatalogOperation, body: Record<string, unknown>): Demand | null {
  switch (operation.billing_unit) {
    case "token": {
      const most = body.max_completion_tokens ?? body.max_tokens;
      const answers = positive(body, "n") ?? 1;
      return typeof most === "number" ? { quantity: most * answers } : { runs: answers };
    }
    case "character":
      return { quantity: typeof body.input === "string" ? [...body.input].length : 0 };
    case "generation":
      return { quantity: positive(body, "n") ?? Math.max(1, ...positiveInFreeObjects(body, "n")) };
    case "second":
      if (operation.api_type === "audio-transcription") return null;
      return { quantity: positive(body, "duration") ?? longest(operation, body) };
    case "operation":
      return { quantity: 1 };
  }
}

/** The seconds to reserve when the request does not set a duration. */
function longest({ limits }: CatalogOperation, body: Record<string, unknown>): number {
  const { maxDurationSeconds } = limits;
  const most = typeof maxDurationSeconds === "number" ? maxDurationSeconds : 1;
  return Math.max(most, ...positiveInFreeObjects(body, "duration"));
}

function positive(fields: Record<string, unknown>, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" && value > 0 ? value : null;
}

/**
 * The field's values in the free-form objects `input` and `parameters`: an upstream can read them there if
 * the field itself is missing.
 */
function positiveInFreeObjects({ input, parameters }: Record<string, unknown>, name: string): number[] {
  return [input, parameters].flatMap((free) =>
    typeof free === "object" && free !== null ? (positive(free as Record<string, unknown>, name) ?? []) : [],
  );
}
