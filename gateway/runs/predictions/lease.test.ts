import { expect, it } from "vitest";
import { type InHand, leaseMs } from "#gateway/platform/core/leased-loop.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { leaseDue, renewLeases } from "./lease.ts";

const nothing: InHand = new Map();
const gateway = shared(() => startTestGateway({ role: "api" }));

it("renews the leases of its own work, and lets unknown leases expire", async () => {
  const { key } = await gateway.createAccount();
  const video = { model: "svc/vid-t2v", prompt: "waves at dusk", duration: 2 };
  const { body } = await call(gateway, key, "POST", "/videos", video);
  const id = String(body.id);
  const { context } = gateway;
  const setLease = (seconds: number) =>
    context.database.queries
      .update(predictions)
      .set({ leaseExpiresAt: sql`now() + make_interval(secs => ${seconds})` })
      .where(eq(predictions.id, id));
  const leased = async (inHand: InHand) =>
    (await leaseDue(context, { limit: 10, inHand, accountRooms: new Map(), afterAccount: "" })).map(
      (row) => row.id,
    );

  expect(await leased(nothing)).toEqual([id]);
  await setLease(-1);
  // As after an outage that is longer than the lease.
  expect(await leased(new Map([[id, leaseMs]]))).toEqual([]);
  await renewLeases(context, new Map([[id, leaseMs]]));
  expect(await leased(nothing)).toEqual([]);
  // As if the answer to the leasing statement had been lost.
  await setLease(-1);
  await renewLeases(context, nothing);
  expect(await leased(nothing)).toEqual([id]);
});

it("serves the accounts in turn, so that a backlog of one does not delay another", async () => {
  const { context } = gateway;
  const accept = async (count: number): Promise<string[]> => {
    const { key } = await gateway.createAccount();
    const video = { model: "svc/vid-t2v", prompt: "waves at dusk", duration: 2 };
    const answers = [];
    for (let n = 0; n < count; n += 1) answers.push(await call(gateway, key, "POST", "/videos", video));
    return answers.map(({ body }) => String(body.id));
  };
  const many = await accept(12);
  const few = await accept(1);
  const leased = await leaseDue(context, {
    limit: 8,
    inHand: nothing,
    accountRooms: new Map(),
    afterAccount: "",
  });
  const ids = leased.map(({ id }) => id);
  expect(ids).toContain(few[0]);
  expect(ids.filter((id) => many.includes(id))).toHaveLength(3);
});
