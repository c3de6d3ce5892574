import { describe, expect, it } from "vitest";
import { playwrightCounts, structureCounts, vitestCounts } from "./counts.mjs";

const good = { code: 0, output: "" };
const bad = { code: 1, output: "" };

describe("the counts of a step", () => {
  it("counts skipped tests as failed", () => {
    const report = { numTotalTests: 5, numPassedTests: 3 };
    expect(vitestCounts(bad, () => report)).toMatchObject({ passed: 3, failed: 2 });
    const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 };
    expect(playwrightCounts(bad, () => ({ stats }))).toMatchObject({ passed: 4, failed: 3 });
  });

  it("names each test that failed, with the first line of its error", () => {
    const file = {
      name: "/gatehouse/gateway/rates.test.ts",
      status: "failed",
      startTime: 1_000,
      endTime: 3_500,
      assertionResults: [
        { fullName: "rates hold", status: "passed" },
        {
          fullName: "rates refuse",
          status: "failed",
          failureMessages: ["expected 200 to be 429\n  at rates"],
        },
      ],
    };
    const report = { numTotalTests: 2, numPassedTests: 1, testResults: [file] };
    expect(vitestCounts(bad, () => report).failures).toEqual([
      "rates.test.ts › rates refuse: expected 200 to be 429",
    ]);
    expect(vitestCounts(bad, () => report).files).toEqual([{ name: "rates.test.ts", ms: 2_500 }]);

    const failed = {
      status: "unexpected",
      results: [{ duration: 700, error: { message: "\u001b[31mno heading\u001b[39m\n" } }],
    };
    const spec = { file: "home.spec.ts", title: "home greets", tests: [failed] };
    const stats = { expected: 0, unexpected: 2, flaky: 0, skipped: 0 };
    const suites = [{ title: "home.spec.ts", specs: [], suites: [{ specs: [spec, spec] }] }];
    expect(playwrightCounts(bad, () => ({ stats, suites })).failures).toEqual([
      "home.spec.ts › home greets: no heading",
      "home.spec.ts › home greets: no heading",
    ]);
    const { files } = playwrightCounts(bad, () => ({ stats, suites }));
    expect(files).toEqual([{ name: "home.spec.ts", ms: 1_400 }]);
  });

  it("counts a run that crashed without a failed test, ran none, or left no report", () => {
    expect(vitestCounts(bad, () => ({ numTotalTests: 3, numPassedTests: 3 }))).toMatchObject({
      passed: 3,
      failed: 1,
    });
    expect(vitestCounts(good, () => ({ numTotalTests: 0, numPassedTests: 0 }))).toMatchObject({
      passed: 0,
      failed: 1,
    });
    const missing = () => {
      throw new Error("no such file");
    };
    expect(vitestCounts(good, missing)).toMatchObject({ passed: 0, failed: 1 });
  });

  it("fails a structure check that found no module", () => {
    const said = (modules) => ({
      code: 0,
      output: `no violations found (${modules} modules, 9 dependencies cruised)`,
    });
    expect(structureCounts(said(0))).toEqual({ passed: 0, failed: 1 });
    expect(structureCounts(said(120))).toEqual({ passed: 1, failed: 0 });
  });
});
