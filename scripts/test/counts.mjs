import path from "node:path";
import { stripVTControlCharacters } from "node:util";

/** Passed and failed counts from a step's output and report. A step without counts passes or fails as one. */
export function exitCounts({ code }) {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** dependency-cruiser passes even if it understood no file, so zero modules count as a failure. */
export function structureCounts({ code, output }) {
  const modules = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
  if (code === 0 && modules === 0) console.error("dependency-cruiser found no module");
  return exitCounts({ code: code === 0 && modules > 0 ? 0 : 1 });
}

/**
 * `readReport` returns vitest's JSON report. Skipped and to-do tests count as failed. `failures` has a line
 * for each test that did not pass: its name and the first line of its error. `files` has the milliseconds
 * that each file took.
 */
export function vitestCounts(exit, readReport) {
  return reported(exit, () => {
    const { numPassedTests: passed, numTotalTests: total, testResults: files = [] } = readReport();
    return {
      passed,
      failed: total - passed,
      failures: files.flatMap(vitestFailures),
      files: files.map(({ name, startTime, endTime }) => ({
        name: path.basename(name),
        ms: endTime - startTime,
      })),
    };
  });
}

/**
 * `readReport` returns Playwright's JSON report. Skipped and flaky tests count as failed. The rest is the
 * same as above.
 */
export function playwrightCounts(exit, readReport) {
  return reported(exit, () => {
    const { stats, suites = [] } = readReport();
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + stats.skipped,
      failures: suites.flatMap(playwrightFailures),
      files: suites.map((suite) => ({ name: suite.title, ms: playwrightMs(suite) })),
    };
  });
}

function vitestFailures(file) {
  const tests = file.assertionResults.filter(({ status }) => status !== "passed");
  if (tests.length === 0 && file.status === "failed") return [failureLine(file.name, file.message)];
  return tests.map((test) =>
    failureLine(`${path.basename(file.name)} › ${test.fullName}`, test.failureMessages?.[0] ?? test.status),
  );
}

function playwrightFailures(suite) {
  const specs = (suite.specs ?? []).filter(({ tests }) => tests.some(({ status }) => status !== "expected"));
  const own = specs.map((spec) => {
    const { status, results } = spec.tests.find((test) => test.status !== "expected");
    const failed = results.find(({ error }) => error);
    return failureLine(`${spec.file} › ${spec.title}`, failed?.error.message ?? status);
  });
  return [...own, ...(suite.suites ?? []).flatMap(playwrightFailures)];
}

/** The sum over all tests of the file, which may run in several workers. */
function playwrightMs({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => duration)),
  );
  return [...own, ...suites.map(playwrightMs)].reduce((total, ms) => total + ms, 0);
}

function failureLine(name, message) {
  return `${name}: ${stripVTControlCharacters(message).split("\n", 1)[0]}`;
}

/**
 * A run that failed without a failed test (a broken file, a crash) or that ran no test counts as one more
 * failure.
 */
function reported(exit, read) {
  try {
    const { passed, failed, failures, files } = read();
    const broken = failed === 0 && (exit.code !== 0 || passed === 0);
    return { passed, failed: failed + (broken ? 1 : 0), failures, files };
  } catch {
    return { passed: 0, failed: 1, failures: [], files: [] };
  }
}
