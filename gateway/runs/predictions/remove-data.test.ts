import { beforeAll, expect, it, vi } from "vitest";
import { NotRemovedError } from "#gateway/files/storage/object-store.ts";
import { readLags, sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";
import { predictionSweep } from "./remove-data.ts";

let accountId: string;
const gateway = shared(() => startTestGateway({ role: "api" }));
beforeAll(async () => {
  ({ accountId } = await gateway.createAccount());
});

/** Predictions whose retention ended an hour ago, each with one file. */
const insertDue = `
  insert into predictions (id, account_id, model, api_type, svc_region, status, input, outputs, deadline_at,
    created_at, completed_at, expires_at)
  select 'pred_' || $2 || n, $1, 'svc/vid-t2v', 'video-generation', 'us-virginia', 'succeeded', '{}',
    jsonb_build_array(jsonb_build_object('key', 'outputs/' || $2 || n || '/1.mp4')), now(), now(), now(),
    now() - interval '1 hour'
  from generate_series(1, $3::int) n`;

async function rowsNamed(name: string) {
  const { rows } = await gateway.context.database.pool.query(
    `select outputs is null and input is null and data_removed_at is not null as removed,
       jsonb_array_length(timeline) as entries
     from predictions where id like 'pred_' || $1 || '%'`,
    [name],
  );
  return rows as { removed: boolean; entries: number }[];
}

it("a backlog is drained by all workers at once, each prediction by one of them", async () => {
  const { context } = gateway;
  await context.store.put("outputs/a7/1.mp4", Buffer.from("x"), { contentType: "video/mp4" });
  await context.database.pool.query(insertDue, [accountId, "a", 1_700]);
  expect((await readLags(context, [predictionSweep])).predictions).toBeGreaterThan(3_590);
  await Promise.all([1, 2, 3].map(() => sweepAll(context, predictionSweep)));
  const rows = await rowsNamed("a");
  expect(rows).toHaveLength(1_700);
  expect(rows.every(({ removed, entries }) => removed && entries === 1)).toBe(true);
  expect(await context.store.head("outputs/a7/1.mp4")).toBeNull();
  expect(await readLags(context, [predictionSweep])).toEqual({ predictions: 0 });
});

it("a file that cannot be removed keeps its prediction back, and no other", async () => {
  const { context } = gateway;
  await context.database.pool.query(insertDue, [accountId, "b", 700]);
  const stuck = "outputs/b3/1.mp4";
  const remove = context.store.delete;
  vi.spyOn(context.store, "delete").mockImplementation(async (keys) => {
    await remove(keys.filter((key) => key !== stuck));
    if (keys.includes(stuck)) throw new NotRemovedError([stuck], new Error("read-only"));
  });
  await sweepAll(context, predictionSweep);
  expect((await rowsNamed("b")).filter(({ removed }) => !removed)).toHaveLength(1);
  vi.restoreAllMocks();
  await sweepAll(context, predictionSweep);
  expect((await rowsNamed("b")).every(({ removed }) => removed)).toBe(true);
});
