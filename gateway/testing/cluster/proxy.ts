import { spawn } from "node:child_process";
import path from "node:path";
import { vi } from "vitest";
import { endProgram, freePort } from "../program.ts";
import type { Network } from "./network.ts";
import { ports } from "./nodes.ts";

const settings = path.resolve(import.meta.dirname, "../../../deploy/cluster/haproxy.cfg");
const startMs = 30_000;

export interface LoadBalancer {
  /** The primary's port, whichever node it is. */
  postgresPort: number;
  /** The APIs' address; ends in `/v1`. */
  url: string;
  close(): Promise<void>;
}

/** HAProxy with the settings of deploy/cluster. */
export async function startProxy(network: Network, apiPorts: [number, number]): Promise<LoadBalancer> {
  const [postgresPort, gatewayPort] = [await freePort(), await freePort()];
  const [db1, db2, db3] = network.places.map(({ address }) => address);
  const complaints: string[] = [];
  const haproxy = spawn("setpriv", ["--pdeathsig", "KILL", "haproxy", "-db", "-f", settings], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
      NODE_ENV: "test",
      ...{ DB1: db1, DB2: db2, DB3: db3 },
      POSTGRES_PORT: String(ports.postgres),
      PATRONI_PORT: String(ports.patroni),
      POSTGRES_BIND: `127.0.0.1:${postgresPort}`,
      GATEWAY_BIND: `127.0.0.1:${gatewayPort}`,
      API1: `127.0.0.1:${apiPorts[0]}`,
      API2: `127.0.0.1:${apiPorts[1]}`,
    },
  });
  haproxy.stderr.on("data", (text: Buffer) => complaints.push(text.toString()));
  const origin = `http://127.0.0.1:${gatewayPort}`;
  await vi.waitUntil(() => fetch(origin).then(Boolean, () => haproxy.exitCode !== null), {
    interval: 50,
    timeout: startMs,
  });
  if (haproxy.exitCode !== null) throw new Error(`HAProxy ended:\n${complaints.join("")}`);
  return { postgresPort, url: `${origin}/v1`, close: () => endProgram(haproxy, "SIGKILL") };
}
