import { mkdtempSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { providerAt, testKeys, writeProvidersFile } from "./models/providers/testing/mapped-gateway.ts";
import { type ReplicateServer, startReplicateServer } from "./models/providers/testing/replicate-server.ts";
import { makeAuthority } from "./testing/certificates.ts";
import { type Fleet, makeFleet } from "./testing/fleet.ts";
import { call } from "./testing/gateway.ts";
import { auditBooks } from "./testing/ledger.ts";
import { type Load, ordered, startLoad } from "./testing/load.ts";
import { type OwnServer, startOwnServer } from "./testing/own-server.ts";
import { programOwner } from "./testing/program.ts";
import { type Receiver, startReceiver } from "./testing/receiver.ts";

/**
 * PostgreSQL logs each wait for a lock that lasts longer. A migration gives up after a second, and then needs
 * some time for its other statements. On such small tables only a lock that nobody releases is held for longer.
 */
const longestLockWait = "4s";
/** Waits for tables only: waits for rows also happen without a migration. */
const longWait = /still waiting for \w+ on relation .*/g;
/** Orders per phase. */
const ordersEachTime = 50;
const phaseMs = 60_000;

const release = inject("previousRelease");
let server: OwnServer;
let upstream: ReplicateServer;
let receiver: Receiver;
let fleet: Fleet;
beforeAll(async () => {
  const { folder } = inject("testServer");
  const lockWaits = { log_lock_waits: "on", deadlock_timeout: longestLockWait };
  server = await startOwnServer({ ...lockWaits, max_connections: "200" });
  const dataDir = mkdtempSync(path.join(folder, "shared-"));
  const authority = await makeAuthority(dataDir);
  receiver = await startReceiver(authority.local);
  upstream = await startReplicateServer();
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/files/out.png`] };
  fleet = makeFleet({
    ...testKeys,
    DATABASE_URL: server.url,
    GATEHOUSE_DATA_DIR: dataDir,
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    REQUESTS_PER_MINUTE: "1000000",
    MAX_CONCURRENCY: "10000",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    WEBHOOK_PORTS: String(receiver.port),
    WEBHOOK_CA_FILE: authority.caFile,
    PROVIDERS_FILE: writeProvidersFile({
      providers: {
        hosts: providerAt(upstream),
      },
      routes: [{ models: [ordered.model], provider: "hosts", upstream_model: "acme/picture" }],
    }),
  });
}, 600_000);
afterAll(async () => {
  await fleet.close();
  await receiver.close();
  await upstream.close();
  await server.remove();
});

it("both releases serve one database under load, then only the old one on the new schema", async () => {
  const old = [
    await fleet.start({}, { release }),
    await fleet.start({ GATEWAY_ROLE: "worker" }, { release }),
  ];
  const first = old[0]?.url ?? "";
  const session = await call({ url: first }, null, "POST", "/account/sessions", programOwner);
  const bearer = String(session.body.token);
  const endpoint = { url: receiver.url };
  expect(await call({ url: first }, bearer, "POST", "/webhooks/endpoints", endpoint)).toMatchObject({
    status: 201,
  });
  const load = startLoad({ urls: [first], bearer, clients: 3, pauseMs: 250, cancelEvery: 5 });
  await moreOrders(load);

  // The new release migrates at its start, while the old processes work.
  const now = await fleet.start();
  load.urls = [first, now.url];
  await moreOrders(load);

  load.urls = [first];
  await load.answered();
  await now.end();
  await moreOrders(load);
  await load.stop();

  const connection = { connectionString: server.url };
  expect(await auditBooks({ loads: [load], upstream, receiver, connection })).toEqual([]);
  const gateways = [...old, now];
  // A run may end before its cancellation arrives.
  const refused = load.refused.filter(
    ({ retriable, code }) => !retriable && code !== "prediction_already_terminal",
  );
  expect(refused, gateways.flatMap(({ complaints }) => complaints).join("\n")).toEqual([]);
  expect(load.refused.length, JSON.stringify(load.refused)).toBeLessThanOrEqual(3);
  expect(server.log().match(longWait) ?? []).toEqual([]);
}, 600_000);

async function moreOrders(load: Load): Promise<void> {
  const enough = load.accepted.size + ordersEachTime;
  await vi.waitFor(() => expect(load.accepted.size).toBeGreaterThan(enough), { timeout: phaseMs });
}
