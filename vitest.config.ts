import path from "node:path";
import { defineConfig } from "vitest/config";

const resolve = {
  alias: {
    "@": path.resolve(import.meta.dirname),
    "server-only": path.resolve(import.meta.dirname, "scripts/testing/server-only.ts"),
  },
};
const console = "{contract,lib,components,app,scripts}/**";
/** Series that take minutes or need more than Node: `npm run test:long`. */
const long = "**/*.long.test.ts";
/** This release beside the one before: `npm run test:upgrade`. */
const upgrade = "**/*.upgrade.test.ts";
/** Code of the browser's side, and tests that replace modules. */
const isolated = [`${console}/*.test.tsx`, "lib/{browser,server}/**/*.test.ts"];
/** What the console's help says of the gateway is compared with one that runs. */
const help = "lib/{guides,reference}/**/*.test.ts";
const testTimeout = 30_000;
const gateway = {
  environment: "node" as const,
  globalSetup: ["gateway/testing/global-setup.ts"],
  testTimeout,
  hookTimeout: 60_000,
};

// Where files share a process (isolate: false), modules are loaded once: no vi.mock there.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          environment: "node",
          include: [`${console}/*.test.{ts,mjs}`],
          exclude: [long, help, ...isolated],
          isolate: false,
          testTimeout,
        },
      },
      {
        resolve,
        test: { name: "components", environment: "happy-dom", include: isolated, testTimeout },
      },
      {
        resolve,
        test: {
          ...gateway,
          name: "gateway",
          include: ["gateway/**/*.test.ts", help],
          exclude: [long, upgrade],
          isolate: false,
        },
      },
      { resolve, test: { ...gateway, name: "long", include: [long] } },
      { resolve, test: { ...gateway, name: "upgrade", include: [upgrade] } },
    ],
  },
});
