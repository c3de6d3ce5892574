import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Districts, openDistricts } from "./districts.ts";
import { type RunningGateway, startGateway } from "./gateway.ts";
import { nameOfFolder } from "./platform/core/data-folder.ts";
import { setQuiet } from "./platform/network/quiet.ts";
import { testConfig } from "./testing/config.ts";
import { createTestDatabase } from "./testing/database.ts";

let districts: Districts;
let worker: RunningGateway;
const config = testConfig({
  ...{ role: "worker", host: "127.0.0.1", metricsPort: 0, metricsToken: "figures" },
  quiet: true,
});
beforeAll(async () => {
  const log = pino({ level: "silent" });
  districts = await openDistricts({ config, log, database: await createTestDatabase(), telemetry: null });
  worker = await startGateway(districts);
});
afterAll(async () => {
  await worker.stop();
  await districts.close();
  setQuiet(false);
});

const ask = (path: string, bearer?: string) =>
  fetch(`http://127.0.0.1:${worker.metricsPort}${path}`, {
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
  });

it("a worker can be monitored on its own port, and has no API", async () => {
  expect(worker.port).toBeNull();
  expect((await ask("/healthz")).status).toBe(200);
  const ready = await ask("/readyz");
  expect(await ready.json()).toEqual({ status: "ok" });
  expect(ready.headers.get("x-svc-data-folder")).toBe(nameOfFolder(config));
  expect((await ask("/metrics")).status).toBe(401);
  expect(await (await ask("/metrics", "figures")).text()).toContain("gatehouse_predictions_ended_total");
  expect((await ask("/v1/models")).status).toBe(404);
});

it("each answer of a quiet worker says so", async () => {
  for (const path of ["/healthz", "/readyz", "/metrics", "/v1/models"])
    expect((await ask(path)).headers.get("x-svc-quiet")).toBe("on");
});
