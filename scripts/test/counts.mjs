/** How many passed and failed, from a step's output and report. A step without counts passes or fails as one. */
export function exitCounts({ code }) {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** dependency-cruiser passes if it understood no file, so no modules count as a failure. */
export function structureCounts({ code, output }) {
  const modules = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
  if (code === 0 && modules === 0) console.error("dependency-cruiser saw no module");
  return exitCounts({ code: code === 0 && modules > 0 ? 0 : 1 });
}

/** `readReport` gives vitest's JSON report. Skipped and to-do tests count as failed. */
export function vitestCounts(exit, readReport) {
  return reported(exit, () => {
    const report = readReport();
    return { passed: report.numPassedTests, failed: report.numTotalTests - report.numPassedTests };
  });
}

/** `readReport` gives Playwright's JSON report. Skipped and flaky tests count as failed. */
export function playwrightCounts(exit, readReport) {
  return reported(exit, () => {
    const { expected, unexpected, flaky, skipped } = readReport().stats;
    return { passed: expected, failed: unexpected + flaky + skipped };
  });
}

/** A run that failed without a failed test (a broken file, a crash) or ran no test is one failure more. */
function reported(exit, read) {
  try {
    const { passed, failed } = read();
    const broken = failed === 0 && (exit.code !== 0 || passed === 0);
    return { passed, failed: failed + (broken ? 1 : 0) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
