// Runs npm test, then npm run test:long, and prints the sum in the last line "N passed, N failed", after the
// names of failed tests: .ci/run
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const summary = /^(\d+) passed, (\d+) failed$/;
/** The lines in which a script names its failed tests. */
const failures = [];
let running = null;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => {
    running?.kill("SIGTERM"); // The script that npm runs notices that its parent has ended, and cleans up.
    process.exit(130);
  });

/** Runs one of the package's scripts and shows its output. Resolves with the counts in its last line. */
async function run(script) {
  running = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise((resolve) => {
    running.once("error", () => resolve(1));
    running.once("close", resolve);
  });
  let counts = null;
  for await (const line of createInterface({ input: running.stdout })) {
    counts = summary.exec(line);
    if (!counts) console.log(line);
    if (line.startsWith("✗ ")) failures.push(line);
  }
  const code = await closed;
  const [passed, failed] = counts ? counts.slice(1).map(Number) : [0, 1];
  console.log(`npm run ${script}: ${passed} passed, ${failed} failed`);
  // The script may crash after its last test.
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

const results = [await run("test"), await run("test:long")];
if (failures.length > 0) console.log(`\n${failures.join("\n")}`);
const sum = (counter) => results.reduce((total, result) => total + result[counter], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
