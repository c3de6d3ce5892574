import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const workflows = globSync(".github/workflows/*.yml");

it.each(workflows)("%s pins its actions by commit and has a time limit", (file) => {
  const text = readFileSync(file, "utf8");
  const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
  expect(uses.length).toBeGreaterThan(0);
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const { jobs } = parse(text) as { jobs: Record<string, { "timeout-minutes"?: number }> };
  for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
});

describe("a release", () => {
  interface Job {
    needs?: string;
    permissions?: Record<string, string>;
    steps: { name?: string; run?: string }[];
  }
  const { jobs } = parse(readFileSync(".github/workflows/release.yml", "utf8")) as {
    jobs: Record<string, Job>;
  };

  it("publishes nothing before all tests have passed", () => {
    expect(jobs.checks?.steps.map(({ run }) => run)).toContain(".ci/run");
    const publishing = Object.values(jobs).filter(({ permissions = {} }) =>
      Object.values(permissions).includes("write"),
    );
    expect(publishing.map(({ needs }) => needs)).toEqual(["checks", "checks"]);
  });

  it("refuses a tag that is not the package's version", () => {
    const step = jobs.checks?.steps.find(({ name }) => name === "compare the tag with the version");
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    const check = (tag: string) =>
      spawnSync("bash", ["-e", "-c", step?.run ?? "exit 3"], {
        env: { PATH: process.env.PATH, NODE_ENV: "test", GITHUB_REF_NAME: tag },
        encoding: "utf8",
      });
    expect(check(`v${version}`).status).toBe(0);
    for (const tag of [version, "v0.0.1", `v${version}-rc.1`]) {
      const { status, stdout } = check(tag);
      expect([status, stdout]).toEqual([1, `The tag is ${tag}, and package.json says v${version}.\n`]);
    }
  });
});

it("what runs for others starts without npm, which would end at SIGTERM before running requests have ended", () => {
  const commands = globSync("deploy/{small,compose}.yaml").flatMap((file) => {
    const { services } = parse(readFileSync(file, "utf8"), { merge: true }) as {
      services: Record<string, { build?: unknown; command?: string[] }>;
    };
    return Object.values(services).flatMap(({ build, command }) => (build && command ? [command[0]] : []));
  });
  expect(commands).toEqual(["node", "node", "node"]);
  expect(readFileSync("deploy/Dockerfile", "utf8")).toContain('\nCMD ["node", ');
  for (const unit of globSync("deploy/systemd/*.service"))
    expect(readFileSync(unit, "utf8")).toMatch(/^ExecStart=\S+\/node scripts\/start\.mjs /m);
});

it("the compose file for a look has two services, and only this machine reaches them", () => {
  const { services } = parse(readFileSync("deploy/small.yaml", "utf8")) as {
    services: Record<string, { ports?: string[]; build?: unknown; image: string }>;
  };
  expect(Object.keys(services)).toEqual(["gatehouse", "postgres"]);
  for (const { ports = [] } of Object.values(services))
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});
