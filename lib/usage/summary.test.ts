import fc from "fast-check";
import { expect, it } from "vitest";
import { decimalOf, decimalText, sumOfDecimals } from "#contract/money/decimal.ts";
import type { UsageRow } from "#contract/usage.ts";
import { money, totalsBy, totalsByDay, totalsByUnit, utcDay } from "./summary.ts";

const row = (
  day: string,
  model: string,
  unit: string,
  quantity: number,
  keyId: string | null = null,
  amount: string | null = null,
): UsageRow => ({
  day,
  model,
  unit,
  user_id: null,
  key_id: keyId,
  quantity,
  requests: 1,
  cost: { amount, currency: "USD", not_priced: amount === null ? 1 : 0 },
});

const rows = [
  row("2026-11-18", "svc/chat-1", "token", 100, "key_a", "0.1"),
  row("2026-11-18", "svc/chat-2", "token", 300),
  row("2026-11-20", "svc/chat-1", "token", 50, "key_a", "0.2"),
  row("2026-11-20", "svc/vid-t2v", "second", 5, null, "0.3"),
];

it("never adds up different units", () => {
  expect(totalsByUnit(rows)).toMatchObject([
    { name: "token", quantity: 450, requests: 3, amount: "0.3", notPriced: 1 },
    { name: "second", quantity: 5, requests: 1, amount: "0.3", notPriced: 0 },
  ]);
});

it("fills days without usage with zero", () => {
  const days = totalsByDay(rows, "token", "2026-11-17", "2026-11-20");
  expect(days.map((day) => [day.name, day.quantity])).toEqual([
    ["2026-11-17", 0],
    ["2026-11-18", 400],
    ["2026-11-19", 0],
    ["2026-11-20", 50],
  ]);
  expect(totalsByDay(rows, money, "2026-11-18", "2026-11-20").map(({ amount }) => amount)).toEqual([
    "0.1",
    null,
    "0.5",
  ]);
});

it("puts the largest first, and signed-in users under the empty key", () => {
  const names = (shown: string, by: "model" | "key_id") =>
    totalsBy(rows, shown, (each) => each[by] ?? "").map(({ name }) => name);
  expect(names("token", "model")).toEqual(["svc/chat-2", "svc/chat-1"]);
  expect(names("token", "key_id")).toEqual(["", "key_a"]);
  expect(names(money, "model")).toEqual(["svc/chat-1", "svc/vid-t2v", "svc/chat-2"]);
});

it("adds up money exactly, for every grouping", () => {
  const word = fc.constantFrom("a", "b", "c");
  const amount = fc.option(fc.bigInt(0n, 10n ** 24n).map((value) => decimalText(value)));
  const usage = fc.array(
    fc
      .tuple(word, word, word, amount)
      .map(([model, key, unit, paid]) => row("2026-11-18", model, unit, 1, key, paid)),
    { maxLength: 50 },
  );
  fc.assert(
    fc.property(usage, (all) => {
      const sum = sumOfDecimals(all.flatMap(({ cost }) => cost.amount ?? []));
      for (const nameOf of [
        (each: UsageRow) => each.model ?? "",
        (each: UsageRow) => each.key_id ?? "",
        () => "",
      ]) {
        const totals = totalsBy(all, money, nameOf);
        expect(sumOfDecimals(totals.flatMap((total) => total.amount ?? []))).toBe(sum);
      }
      expect(decimalOf(sum)).toBeGreaterThanOrEqual(0n);
    }),
  );
});

it("counts days in UTC", () => {
  expect(utcDay(Date.parse("2026-11-20T00:30:00Z"), 1)).toBe("2026-11-19");
});
