import path from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const resolve = {
  alias: {
    "@": path.resolve(import.meta.dirname),
    "server-only": path.resolve(import.meta.dirname, "scripts/testing/server-only.ts"),
  },
};
const console = "{contract,lib,components,app,scripts}/**";
/** Series that take minutes or need more than Node: `npm run test:long`. */
const long = "**/*.long.test.ts";
/** Those of the long series that wait for most of their minutes: for an outage's end, time limits, leases. */
const waiting = [
  "gateway/answers-in-outage",
  "gateway/files/uploads/parts/killed",
  "gateway/invariants",
  "gateway/slow-requests",
].map((name) => `${name}.long.test.ts`);
/** This release beside the one before: `npm run test:upgrade`. */
const upgrade = "**/*.upgrade.test.ts";
/** Three database nodes, HAProxy and several gateways: `npm run test:cluster`. */
const cluster = "**/*.cluster.test.ts";
/** The container image is built and started: `npm run test:image`. */
const image = "**/*.image.test.ts";
/** Browser code, and tests that replace modules. */
const isolated = [`${console}/*.test.tsx`, "lib/{browser,server}/**/*.test.ts"];
/** Compares the console's help with a running gateway. */
const help = "lib/{guides,reference}/**/*.test.ts";
const testTimeout = 30_000;
/** Node's own localStorage, which stores nothing without a file, would hide that of the test's DOM. */
const execArgv = ["--no-experimental-webstorage"];
/** These tests make pictures and videos and start programs, on machines that are busy with one another's. */
const gatewayTimeout = 90_000;
/** No test proves anything by ending in time: these only end those that hang. */
const longTimeouts = { testTimeout: 300_000, hookTimeout: 300_000 };
const gateway = {
  environment: "node" as const,
  // Proves nothing either: a busy machine is late, most of all with videos, which are made at a low priority.
  expect: { poll: { timeout: 60_000 } },
  globalSetup: ["gateway/testing/global-setup.ts"],
  setupFiles: ["gateway/testing/patience.ts"],
  testTimeout: gatewayTimeout,
  hookTimeout: gatewayTimeout,
};

/** Slow files, the slowest first: if one started last, the rest would wait for it. */
const lengthy = [
  ...["largest-bodies.long", "starving.long", "crash-series.long", "killed.long", "start-again.long"],
  ...[
    "pack.long",
    "alarms.long",
    "million-rows.long",
    "contents-at-limit.long",
    "crash-database.long",
    "retention.long",
    "sign-in.long",
  ],
  ...[
    "journeys.long",
    "tasks.long",
    "examples.long",
    "videos.long",
    "snippets.long",
    "results.long",
    "processes.long",
    "embedded.long",
  ],
  ...["predictions", "resume", "rules", "reports", "permissions", "clients", "notices", "failover", "copies"],
  ...["start-outage", "json-suite", "library", "callbacks", "sign-in", "unread-bodies"],
];

class LengthyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = lengthy.indexOf(path.basename(moduleId, ".test.ts"));
      return at === -1 ? lengthy.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

// Files that share a process (isolate: false) load modules once, so they cannot use vi.mock without `one-process.ts`.
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LengthyFirst },
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          execArgv,
          environment: "node",
          include: [`${console}/*.test.{ts,mjs}`],
          exclude: [long, help, ...isolated],
          isolate: false,
          testTimeout,
        },
      },
      {
        resolve: {
          alias: {
            "@/messages/compile": path.resolve(import.meta.dirname, "scripts/testing/compiled-messages.ts"),
            ...resolve.alias,
          },
        },
        test: {
          name: "components",
          globalSetup: ["scripts/testing/compile-messages.ts"],
          execArgv,
          environment: "happy-dom",
          isolate: false,
          setupFiles: ["one-process", "in-english", "pending-images", "patience"].map(
            (name) => `scripts/testing/${name}.ts`,
          ),
          include: isolated,
          sequence: { setupFiles: "list" },
          testTimeout,
        },
      },
      {
        resolve,
        test: {
          ...gateway,
          name: "gateway",
          include: ["gateway/**/*.test.ts", help],
          exclude: [long, upgrade, cluster],
          isolate: false,
          // These tests wait half of their time: for steps of a run, for time-outs, for programs to start.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        test: {
          ...gateway,
          ...longTimeouts,
          name: "long",
          include: [long],
          exclude: [...configDefaults.exclude, ...waiting],
          maxWorkers: 3,
        },
      },
      { resolve, test: { ...gateway, ...longTimeouts, name: "waiting", include: waiting, maxWorkers: 4 } },
      {
        resolve,
        test: {
          ...gateway,
          ...longTimeouts,
          name: "upgrade",
          include: [upgrade],
          globalSetup: [...gateway.globalSetup, "gateway/testing/previous-release.ts"],
        },
      },
      { resolve, test: { ...longTimeouts, name: "cluster", environment: "node", include: [cluster] } },
      { resolve, test: { ...longTimeouts, name: "image", environment: "node", include: [image] } },
    ],
  },
});
