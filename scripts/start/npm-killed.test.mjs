import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished, vi } from "vitest";

const runtime = path.resolve(import.meta.dirname, "../runtime.mjs");
/** A program that is started in the same way as by npm. It prints its process id and ends with npm. */
const program = `
  import { onParentExit } from ${JSON.stringify(runtime)};
  onParentExit(() => process.exit(0));
  console.log("runs as " + process.pid);
`;

it.each([
  ["a shell waits between npm and the program", "node program.mjs; exit $?"],
  ["npm itself waits for the program", "exec node program.mjs"],
])("a program ends when only npm is killed: %s", async (_, start) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-npm-"));
  writeFileSync(path.join(folder, "program.mjs"), program);
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ scripts: { start } }));
  const npm = spawn("npm", ["start"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  let pid = 0;
  onTestFinished(() => {
    npm.kill("SIGKILL");
    if (pid !== 0 && isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  for await (const line of createInterface({ input: npm.stdout })) {
    pid = Number(/^runs as (\d+)$/.exec(line)?.[1] ?? 0);
    if (pid !== 0) break;
  }
  expect(isAlive(pid)).toBe(true);
  npm.kill("SIGKILL");
  await once(npm, "exit");
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000, interval: 50 });
});

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
