import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import {
  amountIn,
  type Bill,
  type BillForm,
  compareBill,
  dayIn,
  proposeColumns,
  proposeForm,
  proposeModels,
  readBill,
  sumBill,
} from "./compare-bill.ts";

const text = `Date,SKU,Line item,Requests,Cost (USD)
2026-11-20T00:00:00Z,gpt-4o-2024-08-06,input,120,"1,000.10"
2026-11-20,gpt-4o-2024-08-06,output,120,0.000000000001
2026-11-21,dall-e-3,image,3,0.12
2026-11-21,support plan,,,$29.00
2026-11-22,gpt-4o-2024-08-06,input,1,free
not a day,gpt-4o-2024-08-06,input,1,1
`;

function billOf(csv: string): Bill {
  const bill = readBill(english("operatorUsage"), csv);
  if (typeof bill === "string") throw new Error(bill);
  return bill;
}
const places = { day: 0, model: 1, amount: 4 };
const usual = { currency: "USD", decimal: null, dayFirst: null };
const ours = (day: string, model: string, amount: string | null, not_priced = 0) => ({
  day,
  model,
  cost: { amount, currency: "USD", not_priced },
});

it("proposes the columns of a bill by their names and values", () => {
  expect(proposeColumns(billOf(text), "USD")).toEqual({ day: 0, model: 1, amount: 4 });
  expect(proposeColumns(billOf("a,b\nx,y"), "USD")).toEqual({ day: -1, model: 0, amount: -1 });
});

it("adds up exactly, and names the lines that it cannot read", () => {
  const { sums, faults, faultsTotal, from, to } = sumBill(english("operatorUsage"), billOf(text), places, {
    ...usual,
    decimal: ".",
  });
  expect(sums).toEqual([
    { day: "2026-11-20", model: "gpt-4o-2024-08-06", amount: 1_000_100_000_000_001n },
    { day: "2026-11-21", model: "dall-e-3", amount: 120_000_000_000n },
    { day: "2026-11-21", model: "support plan", amount: 29_000_000_000_000n },
  ]);
  expect([from, to]).toEqual(["2026-11-20", "2026-11-21"]);
  expect(faultsTotal).toBe(2);
  expect(faults[0]).toBe('Line 6: Cost (USD) "free" is not an amount.');
});

it("puts our amount beside the bill's, the largest difference first", () => {
  const bill = sumBill(english("operatorUsage"), billOf(text), places, { ...usual, decimal: "." });
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

it("reads dates and amounts in the formats of bills", () => {
  const day = (cell: string) => dayIn(cell, null);
  expect(["20.11.2026", "11/20/2026", "20/11/2026", "20261120", "2026/11/20 10:00"].map(day)).toEqual(
    Array(5).fill("2026-11-20"),
  );
  expect(["2026-13-01", "2026-02-30", "soon", "13/40/2026"].map(day)).toEqual(Array(4).fill(null));
  const amount = (cell: string) => amountIn(cell, "EUR", null);
  expect(["(3.00)", "-3", "\u22123.00", "\u20133", "1.5e-7", "€ 2", "0.00000000000050"].map(amount)).toEqual([
    -3_000_000_000_000n,
    -3_000_000_000_000n,
    -3_000_000_000_000n,
    -3_000_000_000_000n,
    150_000n,
    2_000_000_000_000n,
    1n,
  ]);
  expect(amountIn("1,5", "EUR", ".")).toBeNull();
  expect(readBill(english("operatorUsage"), "day,model\n")).toBe("The bill has no rows below its header.");
});

/** The sums of a bill with one line per day, or the questions that are still open. */
function readLines(lines: readonly [day: string, amount: string][], form: Partial<BillForm> = {}) {
  const bill: Bill = {
    columns: ["Day", "Model", "Cost"],
    rows: lines.map(([day, amount], at) => ({ line: at + 2, cells: [day, "m", amount] })),
  };
  const at = { day: 0, model: 1, amount: 2 };
  const proposed = proposeForm(bill, at, "USD");
  const { sums, faults, asks } = sumBill(english("operatorUsage"), bill, at, {
    currency: "USD",
    ...proposed,
    ...form,
  });
  return { read: sums.map(({ day, amount }) => [day, Number(amount) / 1e12]), faults, asks: [...asks] };
}

it.each([
  { cells: ["0,123", "0,5"], read: [0.123, 0.5] },
  { cells: ["1.234,50", "1,234"], read: [1234.5, 1.234] },
  { cells: ["1,234.50", "1,234"], read: [1234.5, 1234] },
  { cells: ["1,234,567", "2"], read: [1_234_567, 2] },
])("reads $cells with the decimal sign that they show", ({ cells, read }) => {
  const { read: sums, asks } = readLines(cells.map((cell, at) => [`2026-11-0${at + 1}`, cell]));
  expect(sums.map(([, amount]) => amount)).toEqual(read);
  expect(asks).toEqual([]);
});

it("asks for the decimal sign when the amounts do not show it, and reads the amounts accordingly", () => {
  const lines: [string, string][] = [
    ["2026-11-01", "1,234"],
    ["2026-11-02", "\u22121.500"],
  ];
  expect(readLines(lines)).toEqual({
    read: [],
    asks: ["decimal"],
    faults: [
      'Line 2: Cost "1,234" can mean 1234 or 1.234.',
      'Line 3: Cost "\u22121.500" can mean -1.5 or -1500.',
    ],
  });
  expect(readLines([...lines, ["2026-11-03", "0,5"], ["2026-11-04", "0.5"]]).asks).toEqual(["decimal"]);
  const amounts = (decimal: "." | ",") => readLines(lines, { decimal }).read.map(([, amount]) => amount);
  expect(amounts(".")).toEqual([1234, -1.5]);
  expect(amounts(",")).toEqual([1.234, -1500]);
});

it("asks whether day or month comes first when both are possible", () => {
  const asked = readLines([["03/04/2026", "1"]]);
  expect(asked).toMatchObject({
    read: [],
    asks: ["dayFirst"],
    faults: ['Line 2: Day "03/04/2026" can mean two days.'],
  });
  expect(readLines([["03/04/2026", "1"]], { dayFirst: true }).read).toEqual([["2026-04-03", 1]]);
  expect(readLines([["03/04/2026", "1"]], { dayFirst: false }).read).toEqual([["2026-03-04", 1]]);
  expect(readLines([["03/04/2026", "1,234"]]).asks).toEqual(["dayFirst", "decimal"]);
  // Another line of the bill decides the order.
  const shown = readLines([
    ["03/04/2026", "1"],
    ["20/04/2026", "2"],
  ]);
  expect(shown).toMatchObject({
    read: [
      ["2026-04-03", 1],
      ["2026-04-20", 2],
    ],
    asks: [],
  });
  expect(readLines([["04/04/2026", "1"]]).read).toEqual([["2026-04-04", 1]]);
});

it.each([
  ["Day,Model,Cost (EUR)\n2026-11-01,m,3", "EUR"],
  ["Day,Model,cost_eur\n2026-11-01,m,3", "eur"],
  ["Day,Model,Cost\n2026-11-01,m,€3", "€"],
  ["Day,Model,Cost\n2026-11-01,m,3 EUR", "EUR"],
  ["Day,Model,Cost,Billing Currency\n2026-11-01,m,3,EUR", "EUR"],
  ["Day,Model,Cost,PricingCurrency,BillingCurrency\n2026-11-01,m,3,EUR,USD", null],
  ["Day,Model,Cost (USD)\n2026-11-01,m,$3", null],
  ["Day,Model,Cost\n2026-11-01,m,US$3", null],
  ["Day,Model,Total cost API\n2026-11-01,m,3", null],
])("finds the currency of a bill: %j", (csv, other) => {
  expect(
    sumBill(english("operatorUsage"), billOf(csv), { day: 0, model: 1, amount: 2 }, usual).otherCurrency,
  ).toBe(other);
});
