import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  amountOf,
  decimalOf,
  decimalText,
  divideRounded,
  parseDecimal,
  quantityOf,
  sumOfDecimals,
  withPercent,
} from "./decimal.ts";

const decimals = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });

describe("exact decimals", () => {
  it("stay the same when they are written and read again", () => {
    fc.assert(fc.property(decimals, (value) => decimalOf(decimalText(value)) === value));
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 12 }), (value, least) => {
        const text = decimalText(value, least);
        expect(decimalOf(text)).toBe(value);
        expect(text.split(".")[1]?.length ?? 0).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  it("are written with the fewest decimals that keep their value", () => {
    expect([
      decimalText(decimalOf("0.012300")),
      decimalText(decimalOf("0.0123"), 6),
      decimalText(decimalOf("12.000")),
      decimalText(decimalOf("-0.000000000001")),
      decimalText(0n, 6),
    ]).toEqual(["0.0123", "0.012300", "12", "-0.000000000001", "0.000000"]);
  });

  it("are not read from a text that is not a decimal", () => {
    for (const text of [
      "",
      ".5",
      "1.",
      "1e3",
      " 1",
      "1,5",
      "0x1",
      "--1",
      "0.0000000000001",
      "1".repeat(19),
      "١",
    ])
      expect(parseDecimal(text), text).toBeNull();
  });

  it("add up exactly, where numbers lose digits", () => {
    expect(sumOfDecimals(["0.1", "0.2"])).toBe("0.3");
    expect(sumOfDecimals(Array.from({ length: 1_000 }, () => "0.000000000001"))).toBe("0.000000001");
    fc.assert(
      fc.property(fc.array(decimals), (values) => {
        const sum = values.reduce((total, value) => total + value, 0n);
        expect(sumOfDecimals(values.map((value) => decimalText(value)))).toBe(decimalText(sum));
      }),
    );
  });

  it("are rounded once, and a half is rounded away from zero", () => {
    expect([
      divideRounded(5n, 10n),
      divideRounded(4n, 10n),
      divideRounded(-5n, 10n),
      divideRounded(14n, 3n),
    ]).toEqual([1n, 0n, -1n, 5n]);
    fc.assert(
      fc.property(decimals, fc.bigInt({ min: 1n, max: 10n ** 12n }), (value, divisor) => {
        const rounded = divideRounded(value, divisor);
        const twice = 2n * (rounded * divisor - value);
        expect(twice <= divisor && twice >= -divisor).toBe(true);
      }),
    );
  });

  it("give the exact amount of a quantity, also of a measured one", () => {
    const of = (rate: string, quantity: number, per: number) =>
      decimalText(amountOf(decimalOf(rate), quantity, per));
    expect([
      of("2.50", 1_234_567, 1_000_000),
      of("0.10", 12.345, 1),
      of("0.000001", 1, 3),
      of("0.06", 30, 60),
      of("1", 1e-7, 1),
      of("1", 1e21, 1),
    ]).toEqual(["3.0864175", "1.2345", "0.000000333333", "0.03", "0.0000001", "1000000000000000000000"]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.nat(), fc.nat(), (rate, a, b) => {
        // Without rounding, the parts add up to the whole.
        expect(amountOf(rate, a, 1) + amountOf(rate, b, 1)).toBe(amountOf(rate, a + b, 1));
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: 0, max: 1e12 }), (quantity) => {
        const exact = quantityOf(quantity);
        expect(Math.abs(Number(exact) / 1e12 - quantity)).toBeLessThanOrEqual(quantity * 1e-15 + 1e-12);
      }),
    );
  });

  it("accept a markup; a markup on zero is zero", () => {
    expect(decimalText(withPercent(decimalOf("2.50"), decimalOf("20")))).toBe("3");
    expect(decimalText(withPercent(decimalOf("0.15"), decimalOf("-5")))).toBe("0.1425");
    expect(withPercent(decimalOf("9.99"), decimalOf("-100"))).toBe(0n);
  });
});
