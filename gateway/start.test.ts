import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import packageJson from "../package.json" with { type: "json" };
import { endProgram, spawnProgram } from "./testing/program.ts";
import { programScene } from "./testing/program-scene.ts";

/** Loaded before the program: lists the files that the program loaded when it ends. */
const hook = `
  import { writeFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
  process.on("exit", () => writeFileSync(process.env.LOADED_LIST, [...loaded].join("\\n")));`;

it("a started gateway has loaded no package that only some installations need, or need later", async () => {
  const list = path.join(newFolder("loaded"), "list");
  const scene = await programScene({
    OWNER_EMAIL: "", // its password would be judged, which needs a library
    OWNER_PASSWORD: "",
    LOADED_LIST: list,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
  });
  await endProgram(await scene.start(), "SIGTERM");
  await scene.close();
  const found = readFileSync(list, "utf8").matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
  const loaded = new Set([...found].map(([, name]) => name));
  // Each other package here costs every start 100 ms and 20 MB: load it by import() where it is used
  // (.dependency-cruiser.cjs).
  expect(Object.keys(packageJson.dependencies).filter((name) => loaded.has(name))).toEqual([
    "@fastify/multipart",
    "@fastify/websocket",
    "ajv",
    "ajv-formats",
    "canonicalize",
    "drizzle-orm",
    "fastify",
    "pg",
    "pino",
    "re2js",
    "typebox",
    "ulid",
    "undici",
  ]);
}, 120_000);

it("a data folder that cannot be written ends the start with one sentence", async () => {
  const file = path.join(newFolder("file"), "no-folder");
  writeFileSync(file, "");
  for (const secret of ["", "a-secret-that-only-tests-know-0001"]) {
    const program = spawnProgram({ GATEHOUSE_DATA_DIR: path.join(file, "data"), AUTH_SECRET: secret });
    const said: string[] = [];
    for (const output of [program.stdout, program.stderr]) output?.on("data", (text) => said.push(`${text}`));
    await once(program, "close");
    expect(program.exitCode).toBeGreaterThan(0);
    expect(said.join("")).toMatch(/the data folder \S+ cannot be written \(ENOTDIR\)\. Let the user/);
    expect(said.join("")).not.toMatch(/^ +at /m);
    expect(said.join("")).not.toContain('"stack"');
  }
});
