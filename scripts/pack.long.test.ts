import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { endProgram, freePort } from "#gateway/testing/program.ts";

const run = promisify(execFile);
/** The Nodes with which people start the package, as npm aliases of their programs. */
const nodes = { "20": "20.20.2", "24": "24.22.3" };
const testMs = 900_000;

it(
  "the tarball is installed into an empty folder and started with Node 20 and 24, with its data where the caller says",
  async () => {
    const folder = newFolder("package");
    const { stdout } = await run(process.execPath, ["scripts/pack.mjs", folder]);
    const tarball = stdout.trim();
    const installed = path.join(folder, "installed");
    mkdirSync(installed);
    const platform = `node-${process.platform}-${process.arch}`;
    const aliases = Object.entries(nodes).map(
      ([major, version]) => `node-${major}@npm:${platform}@${version}`,
    );
    await run("npm", ["install", "--no-audit", "--prefer-offline", tarball, ...aliases], { cwd: installed });
    const modules = path.join(installed, "node_modules");
    const bin = path.join(modules, ".bin", "gatehouse");

    for (const major of Object.keys(nodes)) {
      const node = path.join(modules, `node-${major}`, "bin", "node");
      const current = path.join(folder, `current-${major}`);
      mkdirSync(current);
      const [gateway, console] = [await freePort(), await freePort()];
      writeFileSync(
        path.join(current, ".env"),
        `GATEWAY_PORT=${gateway}\nPORT=${console}\nPROVIDERS_FILE=own.json\n`,
      );
      writeFileSync(path.join(current, "own.json"), JSON.stringify({ providers: {}, routes: [] }));
      const data = major === "20" ? [] : ["--data", "elsewhere"];
      const environment = { PATH: "/usr/bin:/bin", HOME: process.env.HOME, NODE_ENV: "production" as const };
      const program = spawn(node, [bin, ...data], { cwd: current, env: environment });
      program.stderr.resume();
      const lines: string[] = [];
      for await (const line of createInterface({ input: program.stdout })) {
        lines.push(line);
        if (line.startsWith("Set up: ")) break;
      }
      program.stdout.resume();
      expect(lines.join("\n")).toMatch(/Gateway ready.*Console ready.*Set up/s);
      expect((await fetch(`http://127.0.0.1:${gateway}/readyz`)).status).toBe(200);
      const signIn = await fetch(`http://127.0.0.1:${console}/sign-in`);
      expect([signIn.status, await signIn.text()]).toEqual([200, expect.stringContaining("<html")]);
      expect(existsSync(path.join(current, major === "20" ? ".data" : "elsewhere", "postgres"))).toBe(true);
      expect(existsSync(path.join(modules, "gatehouse", ".data"))).toBe(false);
      const doctor = spawn(node, [bin, ...data, "doctor", "--json"], { cwd: current, env: environment });
      const said: string[] = [];
      doctor.stdout.on("data", (text) => said.push(String(text)));
      await once(doctor, "close");
      expect(JSON.parse(said.join("")).findings).toContainEqual(
        expect.objectContaining({ check: "Gateway", state: "good" }),
      );
      const help = await run(node, [bin, "apply", "--help"], { cwd: current, env: environment });
      expect(help.stdout).toMatch(/^gatehouse apply/);
      await endProgram(program, "SIGTERM");
    }
  },
  testMs,
);
