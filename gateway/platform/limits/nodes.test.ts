import { hostname } from "node:os";
import { expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";
import { forgetDead, signOff } from "./presence.ts";

const gateway = shared(() => startTestGateway());
/** The first user becomes an operator. */
const operator = shared(() => gateway.createAccount());

const node = hostname();
const ask = (method: string, to: string, body?: object) => call(gateway, operator.session, method, to, body);
const drain = (id: string) => ask("POST", `/operator/nodes/${id}/drain`, { reason: "Kernel update" });
const undrain = (id: string) => ask("DELETE", `/operator/nodes/${id}/drain`);
const readiness = async () => {
  const response = await fetch(gateway.url.replace("/v1", "/readyz"));
  return { status: response.status, body: await response.json() };
};
const picture = {
  ...{ model: "svc/img-gen-b", prompt: "waves", quality: "low" },
  ...{ size: "1024x1024", output_format: "png" },
};

it("takes no new work while it is drained, finishes what it has, and takes new work afterwards", async () => {
  const before = await ask("POST", "/images/generations", picture);
  const bearer = { authorization: `Bearer ${operator.session}` };
  const follow = (to: string) => fetch(`${gateway.url}${to}`, { headers: bearer });
  const streams = ["/webhooks/listen", "/account/sessions/current/events"];
  const followed = await Promise.all(streams.map(follow));
  const { body } = await drain(node);
  const by = { id: operator.userId, name: expect.any(String) };
  expect(body.data).toMatchObject([{ id: node, drained: { reason: "Kernel update", by } }]);
  await expect
    .poll(readiness)
    .toEqual({ status: 503, body: { status: "drained", running: expect.any(Number) } });
  await Promise.all(followed.map((stream) => stream.text()));
  // A stream that begins now never ends, and is no work.
  const late = await Promise.all(streams.map(follow));
  await expect.poll(async () => (await readiness()).body.running).toBe(0);
  for (const stream of late) await stream.body?.cancel();
  const nodes = async () => (await ask("GET", "/operator/nodes")).body.data as object[];
  await expect.poll(nodes).toMatchObject([{ id: node, processes: [{ running: expect.any(Number) }] }]);

  // Requests that still arrive are answered, but nobody begins the run.
  const waiting = await ask("POST", "/images/generations", picture);
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
  const answered = await ask("POST", "/chat/completions", chat);
  expect(answered.status).toBe(200);
  expect(answered.headers.get("connection")).toBe("close");
  const { rows } = await gateway.context.database.pool.query(
    "select status, dispatched_at, lease_owner from predictions where id = $1",
    [waiting.body.id],
  );
  expect(rows).toEqual([{ status: "starting", dispatched_at: null, lease_owner: null }]);

  expect((await undrain(node)).status).toBe(200);
  await expect.poll(async () => (await readiness()).status).toBe(200);
  for (const { body: made } of [before, waiting])
    await expect
      .poll(async () => (await ask("GET", `/predictions/${made.id}`)).body.status)
      .toBe("succeeded");
  await expect.poll(nodes).toMatchObject([{ id: node, drained: null, processes: [{ running: null }] }]);
  const audit = (await ask("GET", "/audit_logs?limit=2")).body.data;
  expect(audit).toMatchObject([
    { action: "node.undrained", target_id: node },
    { action: "node.drained", target_id: node, detail: { reason: "Kernel update" } },
  ]);
}, 60_000);

it("can be one process of a node, which the node's undrain ends too", async () => {
  const id = `${node}:${process.pid}`;
  expect((await drain(id)).body.data).toMatchObject([
    { id: node, drained: null, processes: [{ id, drained: {} }] },
  ]);
  await expect.poll(async () => (await readiness()).status).toBe(503);
  await undrain(node);
  await expect.poll(async () => (await readiness()).status).toBe(200);
});

it("that ended takes its drain with it", async () => {
  const { database } = gateway.context;
  await database.pool.query(
    `insert into gateway_processes (id, seen_at)
     values ('web-1:7:a', now() - interval '1 hour'), ('web-1:8:b', now()), ('web-1:9:c', now())`,
  );
  await database.pool.query(
    "insert into drained_nodes (id) select 'web-1:' || n from generate_series(7, 9) n",
  );
  await database.pool.query("insert into drained_nodes (id) values ('web-1')");
  await forgetDead(database.queries);
  await signOff(database.pool, "web-1:8:b");
  const { rows } = await database.pool.query("select id from drained_nodes order by id");
  expect(rows).toEqual([{ id: "web-1" }, { id: "web-1:9" }]);
  await signOff(database.pool, "web-1:9:c");
  await undrain("web-1");
});

it("names an unknown node, and undrains nothing twice", async () => {
  expect(await drain("nowhere")).toMatchObject(refusal(404, "node_not_found"));
  expect(await drain("%25")).toMatchObject(refusal(404, "node_not_found"));
  expect((await undrain(node)).status).toBe(200);
});
