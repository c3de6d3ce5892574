import { expect, it } from "vitest";
import { formatAmount, formatMoney } from "./money.ts";

it("shows small amounts to a millionth and large ones to the cent", () => {
  expect(formatAmount("0.0042")).toBe("0.0042");
  expect(formatAmount("0.1")).toBe("0.10");
  expect(formatAmount("12")).toBe("12.00");
  expect(formatAmount("0.000000400000")).toBe("< 0.000001");
  expect(formatAmount("0.0000005")).toBe("0.000001");
  expect(formatAmount("1234567.891234")).toBe("1,234,567.89");
  expect(formatAmount("-1234.5")).toBe("-1,234.50");
  expect(formatAmount("0")).toBe("0.00");
  expect(formatMoney("99.999999999999", "EUR")).toBe("100.00 EUR");
});
