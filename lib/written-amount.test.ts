import { describe, expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { budgetProblem, budgetValues } from "../components/keys/budget-values.ts";
import { moneyBody, moneyProblem, moneyValues } from "../components/keys/money-values.ts";
import { readAmount, typedAmount, unambiguous } from "./written-amount.ts";

describe("a written amount", () => {
  it.each([
    ["0.15", "0.15"],
    ["1,234.50", "1234.5"],
    ["1.234,50", "1234.5"],
    ["0,150", "0.15"],
    ["1250.125", "1250.125"],
    ["1,234,567", "1234567"],
    ["1.234.567", "1234567"],
    [".5", "0.5"],
    ["1.125e-7", "0.0000001125"],
    ["-3", "-3"],
    ["\u22123", "-3"],
    ["\u20133.5", "-3.5"],
    ["$\u20133.5", "-3.5"],
    ["+2", "2"],
    ["$ 2", "2"],
    ["US$2", "2"],
    ["2USD", "2"],
  ])("%s is read as %s", (text, value) => {
    expect(readAmount(text, { currency: "USD" })).toEqual({ value });
  });

  it("has two meanings when a comma or point is before three digits", () => {
    expect(readAmount("1,234")).toEqual({ meanings: ["1234", "1.234"] });
    expect(readAmount("-1.500")).toEqual({ meanings: ["-1.5", "-1500"] });
    expect(readAmount("1.234", { decimal: "," })).toEqual({ value: "1234" });
    expect(readAmount("1,234", { decimal: "." })).toEqual({ value: "1234" });
  });

  it("is refused when it has no valid form, or the sign of another currency", () => {
    for (const text of ["", "-", "--1", "1,23,4", "1.2.3", "12,34.5", "1,2345,678", "1 2", "x", "12%"])
      expect(readAmount(text, { currency: "USD" }), text).toBeNull();
    expect(readAmount("1,5", { decimal: "." })).toBeNull();
    expect(readAmount("3 €", { currency: "USD" })).toEqual({ currency: "€" });
    expect(readAmount("CHF 3", { currency: "USD" })).toEqual({ currency: "CHF" });
  });
});

describe("a field for an amount", () => {
  const fields: Readonly<Record<string, (text: string) => string | undefined>> = {
    "a budget in money": (text) => moneyProblem(english("amounts"), text),
    "a budget in quantities": (text) => budgetProblem(english("amounts"), text),
    "credit and percent": (text) => typedAmount(english("amounts"), text, "Enter an amount.").problem,
  };

  it.each(Object.entries(fields))("%s refuses an amount with two meanings", (_, problemOf) => {
    expect(problemOf("1.250")).toBe('"1.250" can mean two amounts. Write 1.25 or 1250.');
    expect(problemOf("1,250")).toBeDefined();
    expect(problemOf("0,150")).toBeDefined();
    expect(problemOf("0.150")).toBeUndefined();
    expect(problemOf("1250.5")).toBeUndefined();
  });

  it("shows saved amounts so that they are read back unchanged", () => {
    expect(unambiguous("1.125")).toBe("1.1250");
    expect(["0.125", "1250.125", "1.25", "1.1255", ""].map(unambiguous)).toEqual([
      "0.125",
      "1250.125",
      "1.25",
      "1.1255",
      "",
    ]);
    const budgets = [{ amount: "1.125", period: "month" as const, hard: true }];
    expect(moneyBody(moneyValues(budgets))).toEqual(budgets);
    expect(budgetProblem(english("amounts"), budgetValues({ second: 1.125 }).second)).toBeUndefined();
  });
});
