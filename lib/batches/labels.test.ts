import { expect, it } from "vitest";
import { english } from "../../scripts/testing/english.ts";
import { costLabel, maxCostLabel, progressLabel } from "./labels.ts";

const t = english("batches");
const counts = { total: 1000, queued: 0, running: 0, succeeded: 369, failed: 2, canceled: 629 };

it("distinguishes rows that ran from rows that a stop canceled", () => {
  expect(progressLabel(t, counts)).toBe("371 of 1,000 rows ran, 2 failed, 629 canceled");
});

it("shows what rows cost so far and their expected total, and never 0 for rows without a price", () => {
  const words = (cost: object, more = {}) =>
    costLabel(t, {
      counts: { ...counts, ...more },
      cost: { amount: "0", currency: "USD", estimated: null, not_priced_rows: 0, ...cost },
    });
  expect(words({ amount: "0.12", estimated: "0.48" }, { queued: 3 })).toBe(
    "0.12 USD so far, about 0.48 USD in all",
  );
  expect(words({ amount: "0.12", estimated: "0.12", not_priced_rows: 1 })).toBe("0.12 USD, 1 row not priced");
  expect(words({ not_priced_rows: 4 })).toBe("not priced");
  expect(words({ estimated: "0" })).toBe("costs nothing");
});

it("shows the maximum cost of the rows, or why it is unknown", () => {
  const words = (amount: string | null, reason: "not_priced" | "no_maximum" | null = null) =>
    maxCostLabel(t, { amount, currency: "USD", reason });
  expect(words("1.2")).toBe("at most 1.20 USD");
  expect(words("0")).toBe("costs nothing");
  expect(words(null, "not_priced")).toBe("not priced");
  expect(words(null, "no_maximum")).toBe("its cost has no known maximum");
});
