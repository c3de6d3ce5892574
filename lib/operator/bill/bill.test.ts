import { expect, it } from "vitest";
import { compareBill, proposeModels, sumBill } from "./compare-bill.ts";
import { amountIn, type Bill, dayIn, proposeColumns, readBill } from "./read-bill.ts";

const text = `Date,SKU,Line item,Requests,Cost (USD)
2026-11-20T00:00:00Z,gpt-4o-2024-08-06,input,120,"1,000.10"
2026-11-20,gpt-4o-2024-08-06,output,120,0.000000000001
2026-11-21,dall-e-3,image,3,0.12
2026-11-21,support plan,,,$29.00
2026-11-22,gpt-4o-2024-08-06,input,1,free
not a day,gpt-4o-2024-08-06,input,1,1
`;

function billOf(csv: string): Bill {
  const bill = readBill(csv);
  if (typeof bill === "string") throw new Error(bill);
  return bill;
}
const ours = (day: string, model: string, amount: string | null, not_priced = 0) => ({
  day,
  model,
  cost: { amount, currency: "USD", not_priced },
});

it("proposes the columns of a bill by their names and their values", () => {
  expect(proposeColumns(billOf(text))).toEqual({ day: 0, model: 1, amount: 4 });
  expect(proposeColumns(billOf("a,b\nx,y"))).toEqual({ day: -1, model: 0, amount: -1 });
});

it("adds up exactly, and names the lines that it cannot read", () => {
  const { sums, faults, faultsTotal, from, to } = sumBill(billOf(text), { day: 0, model: 1, amount: 4 });
  expect(sums).toEqual([
    { day: "2026-11-20", model: "gpt-4o-2024-08-06", amount: 1_000_100_000_000_001n },
    { day: "2026-11-21", model: "dall-e-3", amount: 120_000_000_000n },
    { day: "2026-11-21", model: "support plan", amount: 29_000_000_000_000n },
  ]);
  expect([from, to]).toEqual(["2026-11-20", "2026-11-21"]);
  expect(faultsTotal).toBe(2);
  expect(faults[0]).toBe('Line 6: Cost (USD) "free" is not an amount.');
});

it("puts ours beside theirs, the largest difference first", () => {
  const bill = sumBill(billOf(text), { day: 0, model: 1, amount: 4 });
  const models = proposeModels(
    ["gpt-4o-2024-08-06", "dall-e-3", "support plan"],
    [
      { model: "acme/chat", upstreamModel: "gpt-4o" },
      { model: "acme/pictures", upstreamModel: "dall-e-3" },
    ],
  );
  expect([...models.values()]).toEqual(["acme/chat", "acme/pictures"]);
  const {
    rows,
    theirs,
    ours: own,
    difference,
  } = compareBill(
    bill,
    [ours("2026-11-20", "acme/chat", "1000.1"), ours("2026-11-21", "acme/pictures", null, 3)],
    models,
  );
  expect(rows.map(({ model, theirs, ours, difference }) => [model, theirs, ours, difference])).toEqual([
    ["support plan", "29", null, "29"],
    ["acme/pictures", "0.12", null, "0.12"],
    ["acme/chat", "1000.100000000001", "1000.1", "0.000000000001"],
  ]);
  expect(rows[1]?.notPriced).toBe(3);
  expect([theirs, own, difference]).toEqual(["1029.220000000001", "1000.1", "29.120000000001"]);
});

it("reads dates and amounts as bills write them", () => {
  expect(["20.11.2026", "11/20/2026", "20261120", "2026/11/20 10:00"].map(dayIn)).toEqual(
    Array(4).fill("2026-11-20"),
  );
  expect(["2026-13-01", "2026-02-30", "soon", "13/40/2026"].map(dayIn)).toEqual(Array(4).fill(null));
  expect(["(3.00)", "-3", "1.5e-7", "€ 2", "1,5", "0.00000000000050"].map(amountIn)).toEqual([
    -3_000_000_000_000n,
    -3_000_000_000_000n,
    150_000n,
    2_000_000_000_000n,
    null,
    1n,
  ]);
  expect(readBill("day,model\n")).toBe("It has no rows below its header.");
});
