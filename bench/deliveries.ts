import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { Agent } from "undici";
import { newId } from "#contract/ids.ts";
import { deliveriesChannel, eventBody } from "#gateway/events/webhooks/events.ts";
import { deliveryRequest, signingKey } from "#gateway/events/webhooks/sign.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { median, quantile, ratioOf, verdict } from "./parts/figures.ts";
import { poolOf, post, startGateway } from "./parts/gateway.ts";
import { processorSeconds } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * Deliveries per second (durable, signed, logged, guarded) compared with a plain undici loop that POSTs the
 * same signed bytes to the same receiver with the same concurrency, in turns. Then the time from the commit of
 * an event to the first byte at the receiver at 50 events a second, without and with 500 deliveries that wait
 * for an endpoint that never answers. With the folder of another tree in BENCH_OTHER, the gateway of that tree
 * delivers in turns too, and the processor times of a delivery are compared instead.
 */
const howMany = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
const latencyRounds = 3;
const concurrency = 16;
const latencyEvents = 250;
const eventsPerSecond = 50;
const waitingForHole = 500;
const goals = { ratio: 0.35, p95Ms: 50, slowdown: 2, otherTree: 1.02 };
const otherTree = process.env.BENCH_OTHER;

const prediction = {
  id: newId("prediction"),
  object: "prediction",
  status: "succeeded",
  output: "x".repeat(800),
};

interface Endpoint {
  id: string;
  url: string;
  secret: string;
}

interface Delivered {
  perSecond: number;
  /** Processor time of the gateway for one delivery. */
  processorUs: number;
}

await runBench(async (folder) => {
  const authority = await makeAuthority(folder);
  const receiver = fork(path.join(import.meta.dirname, "deliveries-receiver.ts"));
  receiver.send(authority.local);
  const [[port, holePort]] = (await once(receiver, "message")) as [[number, number]];
  const agent = new Agent({
    connect: { ca: readFileSync(authority.caFile, "utf8") },
    connections: concurrency,
  });

  const sender = await startSender("this tree");
  if (otherTree === undefined) {
    await compareWithBareLoop();
    await compareBesideHole();
  } else {
    await compareWithOther(await startSender("the other tree", otherTree));
  }
  await agent.close();
  receiver.kill();

  /** A gateway with one endpoint at the fast receiver. */
  async function startSender(name: string, tree?: string) {
    const ownFolder = path.join(folder, name.replaceAll(" ", "-"));
    mkdirSync(ownFolder);
    const environment = {
      WEBHOOK_PORTS: `${port},${holePort}`,
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      WEBHOOK_CA_FILE: authority.caFile,
    };
    const gateway = await startGateway(ownFolder, environment, tree);
    const pool = await poolOf(ownFolder);
    const { rows } = await pool.query<{ id: string }>("select id from accounts limit 1");
    const accountId = rows[0]?.id ?? "";
    const endpoint = await addEndpoint(port, ["prediction.succeeded"]);
    const body = eventBody({
      id: newId("event"),
      type: "prediction.succeeded",
      accountId,
      createdAt: new Date(),
      object: prediction,
    });

    async function addEndpoint(at: number, events: string[]): Promise<Endpoint> {
      const created = await post(
        `${gateway.url}/webhooks/endpoints`,
        { url: `https://127.0.0.1:${at}/hook`, events },
        gateway.session,
      );
      return created as unknown as Endpoint;
    }

    /** Writes many due deliveries at once, faster than the gateway could emit events, and returns their events' ids. */
    async function queue(count: number, to: Endpoint): Promise<string[]> {
      const mark = newId("event");
      await pool.query(
        `with told as (
           insert into webhook_events (id, account_id, type, body, payload_expires_at)
           select $1 || n, $2, 'prediction.succeeded', $3, now() + interval '1 day' from generate_series(1, $4::int) n
         )
         insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, next_attempt_at)
         select 'dlv_' || substr($1, 5) || n, $2, $1 || n, $5, 'prediction.succeeded', $6, now() from generate_series(1, $4::int) n`,
        [mark, accountId, body, count, to.id, to.url],
      );
      return Array.from({ length: count }, (_, index) => `${mark}${index + 1}`);
    }

    function setStatus(endpointId: string, status: "enabled" | "disabled") {
      return pool.query("update webhook_endpoints set status = $2 where id = $1", [endpointId, status]);
    }

    function wake() {
      return pool.query("select pg_notify($1, '')", [deliveriesChannel]);
    }

    /** Number of deliveries saved as successful. The same statement writes the log. */
    async function written(): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        "select coalesce(sum(delivered), 0)::int as count from webhook_endpoint_hours where endpoint_id = $1",
        [endpoint.id],
      );
      return rows[0]?.count ?? 0;
    }

    async function deliver(): Promise<Delivered> {
      await setStatus(endpoint.id, "disabled");
      await queue(howMany, endpoint);
      await pool.query("analyze webhook_deliveries");
      const before = await written();
      const spent = processorSeconds(gateway.program) ?? Number.NaN;
      const startedAt = performance.now();
      await setStatus(endpoint.id, "enabled");
      await wake();
      while ((await written()) < before + howMany) await new Promise((resolve) => setTimeout(resolve, 20));
      return {
        perSecond: (howMany / (performance.now() - startedAt)) * 1000,
        processorUs: (((processorSeconds(gateway.program) ?? Number.NaN) - spent) / howMany) * 1e6,
      };
    }

    return { name, body, endpoint, addEndpoint, queue, setStatus, wake, deliver };
  }

  async function compareWithBareLoop(): Promise<void> {
    const results = { bare: [] as number[], delivered: [] as number[] };
    await postBare();
    await sender.deliver();
    for (let round = 0; round < rounds; round += 1) {
      results.bare.push(await postBare());
      results.delivered.push((await sender.deliver()).perSecond);
    }
    const { middle, span } = ratioOf(results.delivered, results.bare);
    console.log(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
    console.log(
      `bare undici loop ${median(results.bare).toFixed(0)}/s, deliveries ${median(results.delivered).toFixed(0)}/s`,
    );
    console.log(
      verdict(
        "deliveries against a bare loop",
        `${middle.toFixed(2)} (${span})`,
        `>= ${goals.ratio}`,
        middle >= goals.ratio,
      ),
    );
  }

  async function postBare(): Promise<number> {
    const { headers } = deliveryRequest(
      { id: newId("delivery"), eventId: "evt_bare", url: sender.endpoint.url, attempts: 0 },
      sender.body,
      { keys: [signingKey(sender.endpoint.secret)] },
    );
    const { origin } = new URL(sender.endpoint.url);
    let left = howMany;
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (left > 0) {
          left -= 1;
          const answer = await agent.request({
            origin,
            path: "/hook",
            method: "POST",
            headers,
            body: sender.body,
          });
          await answer.body.dump();
        }
      }),
    );
    return (howMany / (performance.now() - startedAt)) * 1000;
  }

  async function compareBesideHole(): Promise<void> {
    const hole = await sender.addEndpoint(holePort, ["prediction.failed"]);
    await sender.queue(waitingForHole, hole);
    const p95 = { quiet: [] as number[], hole: [] as number[] };
    let seen = 0;
    for (let round = 0; round < latencyRounds; round += 1) {
      for (const [kind, status] of [
        ["quiet", "disabled"],
        ["hole", "enabled"],
      ] as const) {
        await sender.setStatus(hole.id, status);
        await sender.wake();
        const measured = await latencies();
        seen += measured.length;
        p95[kind].push(quantile(measured, 0.95));
      }
    }
    const slowdown = ratioOf(p95.hole, p95.quiet);
    console.log(
      `${seen} of ${2 * latencyRounds * latencyEvents} events arrived, ${eventsPerSecond} a second`,
    );
    console.log(
      verdict(
        "commit of an event to receiver, p95",
        `${median(p95.quiet).toFixed(1)} ms`,
        `<= ${goals.p95Ms} ms`,
        median(p95.quiet) <= goals.p95Ms,
      ),
    );
    console.log(
      verdict(
        `the same with ${waitingForHole} waiting for a black hole`,
        `${median(p95.hole).toFixed(1)} ms, ${slowdown.middle.toFixed(2)} (${slowdown.span})`,
        `< ${goals.slowdown}`,
        slowdown.middle < goals.slowdown,
      ),
    );
  }

  async function latencies(): Promise<number[]> {
    await arrivals();
    const emittedAt = new Map<string, number>();
    const startedAt = performance.now();
    for (let n = 0; n < latencyEvents; n += 1) {
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max(startedAt + (n * 1000) / eventsPerSecond - performance.now(), 0)),
      );
      const [eventId = ""] = await sender.queue(1, sender.endpoint);
      emittedAt.set(eventId, performance.timeOrigin + performance.now());
      await sender.wake();
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return (await arrivals())
      .flatMap(([id, atMs]) => {
        const at = emittedAt.get(id);
        return at === undefined ? [] : [Math.max(atMs - at, 0)];
      })
      .sort((a, b) => a - b);
  }

  async function arrivals(): Promise<[string, number][]> {
    receiver.send("arrivals");
    const [list] = (await once(receiver, "message")) as [[string, number][]];
    return list;
  }

  async function compareWithOther(other: typeof sender): Promise<void> {
    const senders = [sender, other];
    const results = senders.map((): Delivered[] => []);
    for (const one of senders) await one.deliver();
    for (let round = 0; round < rounds; round += 1)
      for (const [index, one] of senders.entries()) results[index]?.push(await one.deliver());
    for (const [index, { name }] of senders.entries()) {
      const of = (part: keyof Delivered) => median(results[index]?.map((one) => one[part]) ?? []).toFixed(0);
      console.log(`${name.padEnd(16)} ${of("perSecond")}/s, ${of("processorUs")} µs of processor time each`);
    }
    const [mine = [], others = []] = results.map((list) => list.map(({ processorUs }) => processorUs));
    const { middle, span } = ratioOf(mine, others);
    console.log(
      verdict(
        "processor time, this / the other",
        `${middle.toFixed(3)} (${span})`,
        `<= ${goals.otherTree}`,
        middle <= goals.otherTree,
      ),
    );
  }
});
