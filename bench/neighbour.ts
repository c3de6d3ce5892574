import path from "node:path";
import pg from "pg";
import { newId } from "#contract/ids.ts";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { clusterFolder } from "#gateway/platform/database/embedded/places.ts";
import { runningPostmaster } from "#gateway/platform/database/embedded/postmaster.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { addNeighbour, arrivalMs } from "#gateway/testing/neighbour.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import { median, quantile, verdict } from "./parts/figures.ts";
import { startGateway, writeJobsFile } from "./parts/gateway.ts";
import { runBench } from "./parts/run.ts";

/*
 * How long an account's events take to reach its endpoint: alone, and beside an account with 500 endpoints
 * that never answer and a million due deliveries to them.
 */
const endpoints = 500;
const backlog = Number(process.env.BENCH_BACKLOG ?? 1_000_000);
const batch = 50_000;
const compared = 200;
const pauseMs = 100;
const goal = 3;
const image = {
  model: "svc/img-gen-b",
  prompt: "A river winds through a valley",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};

await runBench(async (folder) => {
  const receiver = await startReceiver((await makeAuthority(folder)).local);
  const upstream = await startReplicateServer();
  upstream.end = { status: "succeeded", output: [`${upstream.origin}/files/out.png`] };
  const gateway = await startGateway(folder, {
    PROVIDERS_FILE: writeJobsFile(folder, image.model, `${upstream.origin}/v1`),
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    WEBHOOK_PORTS: String(receiver.port),
    WEBHOOK_CA_FILE: path.join(folder, "authority.pem"),
    API_REQUESTS_PER_MINUTE: "1000000",
  });
  const ask = async (route: string, body: object) => {
    const headers = { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" };
    const answer = await fetch(gateway.url + route, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${route}: ${answer.status} ${await answer.text()}`);
    await answer.body?.cancel();
  };
  await ask("/webhooks/endpoints", { url: receiver.url });
  const arrivals = async () => {
    const since = receiver.received.length;
    while (arrivalMs(receiver, since).length < compared) {
      await ask("/images/generations", image);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return arrivalMs(receiver, since).toSorted((a, b) => a - b);
  };
  await arrivals();
  const alone = await arrivals();

  const socket = runningPostmaster(clusterFolder(path.join(folder, "data")))?.socketDir ?? "";
  const databaseUrl = `postgres://gatehouse@localhost/gatehouse?host=${encodeURIComponent(socket)}`;
  await addNeighbour({ proxy: gateway, receiver, databaseUrl }, { endpoints, orders: 0 });
  await fillBacklog(databaseUrl);
  const beside = await arrivals();
  const ratio = median(beside) / median(alone);
  console.log(
    `\nevents of an account arrive after ${median(alone)} ms (p95 ${quantile(alone, 0.95)}); beside ${endpoints} silent endpoints with ${backlog} deliveries due after ${median(beside)} ms (p95 ${quantile(beside, 0.95)})`,
  );
  console.log(verdict("beside / alone", ratio.toFixed(2), `<= ${goal}`, ratio <= goal));
  await receiver.close();
  await upstream.close();
});

/** Writes due deliveries to the silent endpoints, the same number to each. */
async function fillBacklog(databaseUrl: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  for (let made = 0; made < backlog; made += batch) {
    const event = newId("event");
    const delivery = newId("delivery");
    await database.query(
      `with silent as (select * from webhook_endpoints where url like '%/silent'), events as (
         insert into webhook_events (id, account_id, type, body, payload_expires_at)
         select $1 || n, account_id, 'prediction.succeeded', '{}', now() + interval '1 day'
         from generate_series(1, $3::int) n, (select distinct account_id from silent) one)
       insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, next_attempt_at)
       select $2 || n || substr(silent.id, 4), account_id, $1 || n, silent.id, 'prediction.succeeded', url, now()
       from generate_series(1, $3::int) n, silent`,
      [event, delivery, batch / endpoints],
    );
  }
  await database.end();
}
