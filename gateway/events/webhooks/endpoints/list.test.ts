import { expect, test } from "vitest";
import type { List } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startScene } from "../testing/scene.ts";

const scene = shared(() => startScene({}, { worker: false }));

/** An endpoint with this status and number of failures in a row. */
async function endpoint(status: string, failures: number): Promise<string> {
  const { id } = await scene.createEndpoint();
  await scene.context.database.pool.query(
    "update webhook_endpoints set status = $2, consecutive_failures = $3 where id = $1",
    [id, status, failures],
  );
  return id;
}

async function list(query: string): Promise<List<Endpoint>> {
  const { status, body } = await scene.call("GET", `/webhooks/endpoints?${query}`);
  expect(status).toBe(200);
  return body as unknown as List<Endpoint>;
}

const ids = ({ data }: List<Endpoint>) => data.map(({ id }) => id);

test("endpoints are filtered by status, found when they fail, and sorted by failures over all pages", async () => {
  const healthy = await endpoint("enabled", 0);
  const worst = await endpoint("enabled", 900);
  const bad = await endpoint("enabled", 4);
  const asBad = await endpoint("enabled", 4);
  const once = await endpoint("enabled", 3);
  const paused = await endpoint("paused", 40);
  const stopped = await endpoint("auto-disabled", 700);
  const disabled = await endpoint("disabled", 0);

  const failing = await list("status=failing&sort=failures&count=true");
  expect(ids(failing)).toEqual([worst, asBad, bad]);
  expect(failing.total).toEqual({ count: 3, more: false });
  expect(ids(await list("status=failing"))).toEqual([asBad, bad, worst]);
  expect(ids(await list("status=enabled"))).toEqual([once, asBad, bad, worst, healthy]);
  expect(ids(await list("status=paused"))).toEqual([paused]);
  expect(ids(await list("status=auto-disabled"))).toEqual([stopped]);

  const all = [worst, stopped, paused, asBad, bad, once, disabled, healthy];
  const first = await list("sort=failures&limit=3");
  const second = await list(`sort=failures&limit=3&after=${first.last_id}`);
  const last = await list(`sort=failures&limit=3&after=${second.last_id}`);
  expect([first, second, last].flatMap(ids)).toEqual(all);
  expect([first, second, last].map(({ has_more }) => has_more)).toEqual([true, true, false]);
  expect(ids(await list(`sort=failures&limit=3&before=${last.first_id}`))).toEqual(ids(second));

  // The row of a cursor keeps its place when it no longer matches the filter.
  await scene.call("PATCH", `/webhooks/endpoints/${worst}`, { status: "paused" });
  expect(ids(await list(`status=failing&sort=failures&after=${worst}`))).toEqual([asBad, bad]);

  const stranger = await scene.api.createAccount();
  const foreign = await scene.api.call(
    stranger.key,
    "GET",
    `/webhooks/endpoints?sort=failures&before=${healthy}`,
  );
  expect(foreign.body).toMatchObject({ data: [] });
  expect((await scene.call("GET", "/webhooks/endpoints?status=broken")).status).toBe(400);
  expect((await scene.call("GET", "/webhooks/endpoints?sort=url")).status).toBe(400);
});
