import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { vi } from "vitest";
import {
  type ReplicateServer,
  startReplicateServer,
} from "../../models/providers/testing/replicate-server.ts";
import { makeAuthority } from "../certificates.ts";
import { type Fleet, type Member, makeFleet } from "../fleet.ts";
import { call } from "../gateway.ts";
import { ordered } from "../load.ts";
import { freePort, programOwner } from "../program.ts";
import { type Receiver, startReceiver } from "../receiver.ts";
import { type Network, openNetwork } from "./network.ts";
import { type DatabaseNode, type Nodes, passwords, ports, startNodes } from "./nodes.ts";
import { type LoadBalancer, startProxy } from "./proxy.ts";
import { type Store, startStore } from "./store.ts";

const gatewayPassword = "test-gatehouse";
const upstreamKey = { TEST_UPSTREAM_KEY: "upstream-test-key-0001" };
const readyMs = 60_000;

/**
 * Three database nodes behind HAProxy, two APIs, two workers, three storage nodes, an upstream and a receiver
 * with ledgers.
 */
export interface ClusterScene {
  nodes: Nodes;
  proxy: LoadBalancer;
  fleet: Fleet;
  apis: Member[];
  workers: Member[];
  upstream: ReplicateServer;
  receiver: Receiver;
  store: Store;
  /** The bearer of the signed-in owner. */
  bearer: string;
  /** To the primary, through HAProxy. */
  connection: pg.ClientConfig;
  databaseUrl: string;
  /** The secret of a new account key with these limits. */
  createKey(limits: { requests_per_minute?: number; max_concurrency?: number }): Promise<string>;
  asSuperuser(...statements: string[]): Promise<void>;
  /** Settings of a process that runs beside this node, and knows only the node's PostgreSQL. */
  besideNode(node: DatabaseNode): Record<string, string>;
  /**
   * Starts clients that run beside that node; `stop` returns the ids of the orders whose acceptance reached
   * the clients.
   */
  clientsBeside(
    node: DatabaseNode,
    url: string,
  ): { begun(): Promise<unknown>; stop(): Promise<Map<string, string>> };
  close(): Promise<void>;
}

export async function openCluster(): Promise<ClusterScene> {
  const closings: (() => unknown)[] = [];
  const close = async () => {
    for (const one of closings.splice(0).reverse()) await one();
  };
  try {
    return await build((one) => closings.push(one), close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  onClose: (one: () => unknown) => void,
  close: () => Promise<void>,
): Promise<ClusterScene> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "cluster-"));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user, who must be able to enter the folder.
  const network: Network = await openNetwork();
  onClose(() => network.close());
  const starting = startStore(path.join(folder, "store"));
  onClose(async () => (await starting).close());
  const nodes = await startNodes(network, folder);
  onClose(() => nodes.close());
  const apiPorts: [number, number] = [await freePort(), await freePort()];
  const proxy = await startProxy(network, apiPorts);
  onClose(() => proxy.close());
  const server = { host: "127.0.0.1", port: proxy.postgresPort };
  const superuser = { ...server, user: "postgres", password: passwords.superuser, database: "postgres" };
  const asSuperuser = (...statements: string[]) => execute(superuser, statements);
  // As described in docs/cluster.md.
  await asSuperuser(
    `create role gatehouse login password '${gatewayPassword}'`,
    "create database gatehouse owner gatehouse",
  );

  const authority = await makeAuthority(folder);
  const receiver = await startReceiver(authority.local);
  onClose(() => receiver.close());
  const upstream = await startReplicateServer();
  onClose(() => upstream.close());
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/files/out.png`] };
  const store = await starting;
  const providersFile = path.join(folder, "providers.json");
  const credentials = { "us-virginia": { env: "TEST_UPSTREAM_KEY" } };
  const hosts = { protocol: "replicate", base_url: `${upstream.origin}/v1`, credentials };
  const route = { models: [ordered.model], provider: "hosts", upstream_model: "acme/picture" };
  writeFileSync(providersFile, JSON.stringify({ providers: { hosts }, routes: [route] }));

  const databaseUrl = (host: string, port: number) =>
    `postgres://gatehouse:${gatewayPassword}@${host}:${port}/gatehouse`;
  const fleet = makeFleet({
    ...upstreamKey,
    DATABASE_URL: databaseUrl("127.0.0.1", proxy.postgresPort),
    GATEHOUSE_DATA_DIR: path.join(folder, "gateways"),
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    ...store.settings,
    ...{ REQUESTS_PER_MINUTE: "1000000", MAX_CONCURRENCY: "10000", API_REQUESTS_PER_MINUTE: "1000000" },
    ...{ WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", WEBHOOK_PORTS: String(receiver.port) },
    WEBHOOK_CA_FILE: authority.caFile,
    PROVIDERS_FILE: providersFile,
    ...{ WEBHOOK_BACKOFF_BASE_MS: "500", WEBHOOK_BACKOFF_FACTOR: "1" },
    GATEWAY_PUBLIC_URL: proxy.url.replace("/v1", ""),
  });
  onClose(() => fleet.close());
  const first = await fleet.start({ GATEWAY_ROLE: "api", GATEWAY_PORT: String(apiPorts[0]) });
  const others = await Promise.all([
    fleet.start({ GATEWAY_ROLE: "api", GATEWAY_PORT: String(apiPorts[1]) }),
    fleet.start({ GATEWAY_ROLE: "worker" }),
    fleet.start({ GATEWAY_ROLE: "worker" }),
  ]);
  const [second, ...workers] = others as [Member, Member, Member];
  await vi.waitUntil(
    () =>
      fetch(`${proxy.url}/models`).then(
        ({ ok }) => ok,
        () => false,
      ),
    {
      interval: 100,
      timeout: readyMs,
    },
  );
  const session = await call(proxy, null, "POST", "/account/sessions", programOwner);
  const bearer = String(session.body.token);
  const endpoint = await call(proxy, bearer, "POST", "/webhooks/endpoints", { url: receiver.url });
  if (endpoint.status !== 201) throw new Error(JSON.stringify(endpoint.body));
  return {
    ...{ nodes, proxy, fleet, apis: [first, second], workers, upstream, receiver, store, bearer, close },
    connection: { connectionString: databaseUrl("127.0.0.1", proxy.postgresPort) },
    databaseUrl: databaseUrl("127.0.0.1", proxy.postgresPort),
    asSuperuser,
    async createKey(limits) {
      const made = await call(proxy, bearer, "POST", "/keys", { name: "limited", ...limits });
      return String(made.body.secret);
    },
    besideNode: ({ address }) => ({ DATABASE_URL: databaseUrl(address, ports.postgres) }),
    clientsBeside(node, url) {
      const program = path.join(import.meta.dirname, "../cluster-load-process.ts");
      const [command = "", ...words] = [...node.under, process.execPath, program, url, bearer];
      const clients = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
      onClose(() => clients.kill("SIGKILL"));
      const told = createInterface(clients.stdout)[Symbol.asyncIterator]();
      const line = async () => String((await told.next()).value);
      return {
        begun: line,
        async stop() {
          clients.stdin.end();
          return new Map(JSON.parse(await line()) as [string, string][]);
        },
      };
    },
  };
}

async function execute(connection: pg.ClientConfig, statements: string[]): Promise<void> {
  const client = await vi.waitUntil(
    async () => {
      const candidate = new pg.Client(connection);
      candidate.on("error", () => {});
      try {
        await candidate.connect();
        // A new primary is read-only until its promotion is complete.
        const { rows } = await candidate.query("show transaction_read_only");
        if (rows[0]?.transaction_read_only === "off") return candidate;
      } catch {
        // Not there yet.
      }
      await candidate.end().catch(() => {});
      return null;
    },
    { interval: 200, timeout: readyMs },
  );
  for (const statement of statements) await client.query(statement);
  await client.end();
}
