import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
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

it("the compose file for a look has two services, and only this machine reaches them", () => {
  const { services } = parse(readFileSync("deploy/small.yaml", "utf8")) as {
    services: Record<string, { ports?: string[]; build?: unknown; image: string }>;
  };
  expect(Object.keys(services)).toEqual(["gatehouse", "postgres"]);
  for (const { ports = [] } of Object.values(services))
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});
