import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseWithExactNumbers, plainDecimal } from "../../written-amount.ts";

describe("numbers of price lists", () => {
  it("are shifted digit by digit", () => {
    expect(plainDecimal("1.5e-07")).toBe("0.00000015");
    expect(plainDecimal("1.5e-07", 6)).toBe("0.15");
    expect(plainDecimal("5.46875e-07", 6)).toBe("0.546875");
    expect(plainDecimal("2E+3")).toBe("2000");
    expect(plainDecimal(".50")).toBe("0.5");
    expect(plainDecimal("-1")).toBe("-1");
    expect(plainDecimal("-0.0")).toBe("0");
    expect(plainDecimal("0.1000000000000000055511151231257827", 6)).toBe(
      "100000.0000000000055511151231257827",
    );
  });

  it("are refused when they are not numbers, or too long for a price", () => {
    for (const text of ["", " ", ".", "-", "1e", "0x10", "1,5", "NaN", "Infinity", "1e999", "1".repeat(60)])
      expect(plainDecimal(text), text).toBeNull();
  });

  it("are exact for every double", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-15, max: 1e15, noNaN: true }), (value) => {
        expect(Number(plainDecimal(String(value)))).toBe(value);
      }),
    );
  });

  it("stay as written in the JSON text", () => {
    const text = '{"a": 1.50e-07, "b": [0.10000000000000000555, "2"], "__proto__": 3}';
    const read = parseWithExactNumbers(text) as Record<string, unknown>;
    expect(read.a).toBe("1.50e-07");
    expect(read.b).toEqual(["0.10000000000000000555", "2"]);
    expect(Object.keys(read)).toEqual(["a", "b", "__proto__"]);
  });
});
