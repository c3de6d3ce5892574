import { beforeAll, expect, test } from "vitest";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries, webhookDeliveryKeys } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startScene } from "../testing/scene.ts";

const scene = shared(() => startScene({}, { worker: false }));
beforeAll(async () => {
  await scene.createEndpoint();
});

async function idsIn(table: typeof webhookDeliveries | typeof webhookDeliveryKeys): Promise<string[]> {
  const rows = await scene.context.database.queries
    .select({ id: table.id })
    .from(table)
    .where(eq(table.accountId, scene.account.accountId))
    .orderBy(table.id);
  return rows.map(({ id }) => id);
}

test("the search keys of a delivery are created and removed together with the delivery", async () => {
  const [removed, kept] = [await scene.emit(), await scene.emit()];
  expect(await idsIn(webhookDeliveries)).toHaveLength(2);
  expect(await idsIn(webhookDeliveryKeys)).toEqual(await idsIn(webhookDeliveries));

  await scene.context.database.queries
    .delete(webhookDeliveries)
    .where(eq(webhookDeliveries.eventId, removed.id));
  expect(await idsIn(webhookDeliveryKeys)).toEqual(await idsIn(webhookDeliveries));
  const { body } = await scene.call("GET", "/webhooks/deliveries");
  expect(body.data).toMatchObject([{ event_id: kept.id }]);
});
