import { describe, expect, it } from "vitest";
import { playwrightCounts, structureCounts, vitestCounts } from "./counts.mjs";

const good = { code: 0, output: "" };
const bad = { code: 1, output: "" };

describe("what a step counts", () => {
  it("counts skipped tests as failed", () => {
    const report = { numTotalTests: 5, numPassedTests: 3 };
    expect(vitestCounts(bad, () => report)).toEqual({ passed: 3, failed: 2 });
    const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 };
    expect(playwrightCounts(bad, () => ({ stats }))).toEqual({ passed: 4, failed: 3 });
  });

  it("counts a run that crashed without a failed test, ran none, or left no report", () => {
    expect(vitestCounts(bad, () => ({ numTotalTests: 3, numPassedTests: 3 }))).toEqual({
      passed: 3,
      failed: 1,
    });
    expect(vitestCounts(good, () => ({ numTotalTests: 0, numPassedTests: 0 }))).toEqual({
      passed: 0,
      failed: 1,
    });
    const missing = () => {
      throw new Error("no such file");
    };
    expect(vitestCounts(good, missing)).toEqual({ passed: 0, failed: 1 });
  });

  it("fails a structure check that saw no module", () => {
    const said = (modules) => ({
      code: 0,
      output: `no violations found (${modules} modules, 9 dependencies cruised)`,
    });
    expect(structureCounts(said(0))).toEqual({ passed: 0, failed: 1 });
    expect(structureCounts(said(120))).toEqual({ passed: 1, failed: 0 });
  });
});
