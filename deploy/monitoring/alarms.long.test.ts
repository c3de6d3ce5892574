import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "#gateway/testing/program.ts";
import { alarms, rulesFile } from "./alarms.ts";
import { files } from "./make.ts";

/**
 * Prometheus and Alertmanager with short intervals, which read the metrics of a healthy or a failing gateway.
 */
let isWell = true;
let folder: string;
const programs: ChildProcess[] = [];
const servers: Server[] = [];
const firing = new Set<string>();
const heard = { firing: new Set<string>(), resolved: new Set<string>() };
let whenNotified = Promise.withResolvers<void>();
let gonePort: number;
/** How often Prometheus has read the metrics. */
let reads = 0;

const counted = new Map<string, number>();
/** A counter that has grown since the last read. */
const grown = (name: string, by: number): string => {
  counted.set(name, (counted.get(name) ?? 0) + by);
  return `${name} ${counted.get(name)}`;
};

/** Imitates a gateway's `/metrics`. gateway/platform/http/monitoring.test.ts checks that the names exist. */
function metrics(): string {
  reads += 1;
  whenNotified.resolve();
  whenNotified = Promise.withResolvers();
  const bad = isWell ? 0 : 100;
  return [
    `gatehouse_waiting{kind="predictions"} ${isWell ? 5 : 500}`,
    `gatehouse_waiting{kind="deliveries"} ${isWell ? 0 : 5000}`,
    `gatehouse_waiting{kind="responses"} ${isWell ? 0 : 500}`,
    `gatehouse_waiting{kind="batch_rows"} ${isWell ? 0 : 500}`,
    `gatehouse_waiting{kind="copies"} ${isWell ? 0 : 5000}`,
    `gatehouse_waiting{kind="messages"} ${isWell ? 0 : 3}`,
    `gatehouse_full{kind="store"} ${isWell ? 0 : 1}`,
    `gatehouse_retention_lag_seconds{kind="uploads"} ${isWell ? 0 : 900}`,
    `gatehouse_audit_stream_lag_seconds ${isWell ? 0 : 1800}`,
    grown('gatehouse_request_seconds_count{route="/v1/webhooks/deliveries",status="200"}', 100),
    grown('gatehouse_request_seconds_count{route="/v1/chat/completions",status="503"}', bad),
    grown('gatehouse_request_seconds_bucket{route="/v1/webhooks/deliveries",le="0.5"}', isWell ? 100 : 0),
    grown('gatehouse_request_seconds_bucket{route="/v1/webhooks/deliveries",le="10"}', 100),
    grown('gatehouse_request_seconds_bucket{route="/v1/webhooks/deliveries",le="+Inf"}', 100),
    grown('gatehouse_predictions_ended_total{status="succeeded",code=""}', 10),
    grown('gatehouse_predictions_ended_total{status="failed",code="upstream_outcome_unknown"}', bad),
    grown('gatehouse_delivery_attempts_total{result="delivered"}', 10),
    grown('gatehouse_delivery_attempts_total{result="failed"}', bad),
    grown('gatehouse_upstream_tries_total{provider="lab",result="ok"}', 10),
    grown('gatehouse_upstream_tries_total{provider="lab",result="upstream_timeout"}', bad),
    `gatehouse_open_breakers{provider="lab"} ${isWell ? 0 : 2}`,
    grown('gatehouse_request_errors_total{code="no_healthy_region"}', bad),
    grown('gatehouse_handovers_total{reason="down"}', isWell ? 1 : 1000),
    grown('gatehouse_skipped_events_total{provider="lab"}', bad),
    grown('gatehouse_output_signatures_total{result="signed"}', 10),
    grown('gatehouse_output_signatures_total{result="expired"}', bad),
    `process_resident_memory_bytes ${isWell ? 2e8 : 2e9}`,
    `nodejs_eventloop_lag_p99_seconds ${isWell ? 0.01 : 0.9}`,
    "",
  ].join("\n");
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-alarms-"));
  const target = await serve((_body, answer) =>
    answer.writeHead(200, { "content-type": "text/plain" }).end(metrics()),
  );
  const receiver = await serve((body, answer) => {
    answer.writeHead(200).end();
    for (const { status, labels } of (JSON.parse(body) as Notified).alerts) {
      heard[status].add(labels.alertname);
      if (status === "firing") firing.add(labels.alertname);
      else firing.delete(labels.alertname);
    }
    whenNotified.resolve();
    whenNotified = Promise.withResolvers();
  });
  gonePort = await freePort();
  const [prometheusPort, managerPort] = [await freePort(), await freePort()];
  write("rules.json", rulesFile({ window: "5s", day: "2m", minuteSeconds: 0 }));
  write("alertmanager.json", {
    route: {
      receiver: "test",
      group_by: ["alertname"],
      group_wait: "0s",
      group_interval: "1s",
      repeat_interval: "1h",
    },
    receivers: [{ name: "test", webhook_configs: [{ url: `http://127.0.0.1:${receiver}/` }] }],
  });
  write("prometheus.json", {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.json"],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${managerPort}`] }] }] },
    scrape_configs: [
      {
        job_name: "gatehouse",
        static_configs: [{ targets: [`127.0.0.1:${target}`, `127.0.0.1:${gonePort}`] }],
      },
    ],
  });
  run("prometheus-alertmanager", [
    "--config.file=alertmanager.json",
    "--storage.path=alertmanager",
    "--cluster.listen-address=",
    `--web.listen-address=127.0.0.1:${managerPort}`,
  ]);
  run("prometheus", [
    "--config.file=prometheus.json",
    "--storage.tsdb.path=prometheus",
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
  ]);
});

afterAll(async () => {
  for (const program of programs) {
    if (program.exitCode === null && program.kill()) await once(program, "exit");
  }
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Notified {
  alerts: { status: "firing" | "resolved"; labels: { alertname: string } }[];
}

const names = alarms.map(({ name }) => name);

it("each alarm fires when its problem occurs, and ends when the problem is over", async () => {
  // Only the stopped process has a problem. The usual values must be recorded first.
  await until(() => heard.firing.has("GatehouseGone") && reads >= 10);
  expect([...heard.firing]).toEqual(["GatehouseGone"]);
  isWell = false;
  await until(() => names.every((name) => heard.firing.has(name)));
  isWell = true;
  await serve(
    (_body, answer) => answer.writeHead(200, { "content-type": "text/plain" }).end(metrics()),
    gonePort,
  );
  await until(() => firing.size === 0);
  expect([...heard.resolved].sort()).toEqual([...names].sort());
});

it("is exactly what the list of alarms and panels produces", () => {
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(path.join(import.meta.dirname, name), "utf8") === text, `run make.ts: ${name}`).toBe(
      true,
    );
});

it("is accepted by Prometheus' own checker", () => {
  const rules = path.join(import.meta.dirname, "rules.yml");
  const { status, stdout } = spawnSync("promtool", ["check", "rules", rules], { encoding: "utf8" });
  expect(stdout).toContain(`${alarms.length} rules found`);
  expect(status).toBe(0);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await whenNotified.promise;
}

function write(name: string, content: string | object): void {
  writeFileSync(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
}

function run(command: string, words: string[]): void {
  programs.push(spawn(command, words, { cwd: folder, stdio: "ignore" }));
}

type Serve = (body: string, answer: import("node:http").ServerResponse) => void;

async function serve(answer: Serve, port = 0): Promise<number> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    answer(Buffer.concat(chunks).toString("utf8"), response);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return (server.address() as AddressInfo).port;
}
