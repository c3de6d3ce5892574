import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const version = "2.12.0";
const folder = path.join(import.meta.dirname, "../../node_modules/.cache/mcp-inspector", version);

/** The MCP Inspector's command line. */
export const inspector = path.join(
  folder,
  "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);

/** Installs it where it is missing: its 110 MB are for one test, so it is no dependency. Sets the exit code if it cannot. */
export function ensureInspector(): void {
  if (existsSync(inspector)) return;
  console.log(`Installing the MCP Inspector ${version} for its test …`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{"private": true}');
  const words = [
    "install",
    `@modelcontextprotocol/inspector@${version}`,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
  ];
  // npm takes the Node that runs this, which the Inspector needs.
  const env = {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
  };
  const { status } = spawnSync("npm", words, { cwd: folder, env, stdio: "inherit" });
  if (status === 0 && existsSync(inspector)) return;
  console.error("The MCP Inspector could not be installed from the npm registry; its test cannot run.");
  process.exitCode = 1;
}
