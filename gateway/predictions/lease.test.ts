import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { predictions } from "#gateway/database/schema.ts";
import { call, startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";
import { leaseDue, renewLeases } from "./lease.ts";

const nothing = new Set<string>();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ role: "api" });
});
afterAll(() => gateway.close());

it("renews the leases of its own work, and lets a lease that it does not know of expire", async () => {
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
  const leased = async (inHand: ReadonlySet<string>) =>
    (await leaseDue(context, 10, inHand)).map((row) => row.id);

  expect(await leased(nothing)).toEqual([id]);
  await setLease(-1);
  // As after an outage longer than the lease.
  expect(await leased(new Set([id]))).toEqual([]);
  await renewLeases(context, new Set([id]));
  expect(await leased(nothing)).toEqual([]);
  // As if the answer to the leasing statement had been lost.
  await setLease(-1);
  await renewLeases(context, nothing);
  expect(await leased(nothing)).toEqual([id]);
});
