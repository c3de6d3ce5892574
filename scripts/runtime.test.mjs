import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

/** What Node 20 lacks of what the programs use before they run. */
const oldNode = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  Object.defineProperty(process.versions, "node", { value: "20.11.0" });
  delete process.loadEnvFile;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "node:module"
        ? { url: "data:text/javascript,export default {};", shortCircuit: true }
        : next(specifier, context),
  });
`)}`;

it.each([
  ["gatehouse.mjs", "npm run -s gatehouse -- --help"],
  ["start.mjs", "npm start"],
])("%s on an old Node says which command to use instead", (program, command) => {
  const file = path.join(import.meta.dirname, program);
  const { status, stderr } = spawnSync(process.execPath, ["--import", oldNode, file], { encoding: "utf8" });
  expect(stderr).toMatch(/^Gatehouse needs Node 22.18 or newer, but this is 20.11.0.\n/);
  expect(stderr).toContain(`Start it with npm ("${command}")`);
  expect(status).toBe(1);
});
