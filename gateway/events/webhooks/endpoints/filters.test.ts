import { beforeAll, expect, test } from "vitest";
import { newId } from "#contract/ids.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { emitEvent } from "../events.ts";
import { startScene } from "../testing/scene.ts";

let ownKey: string;
const scene = shared(() => startScene({}, { worker: false }));
beforeAll(async () => {
  const { rows } = await scene.context.database.pool.query("select id from api_keys where account_id = $1", [
    scene.account.accountId,
  ]);
  ownKey = rows[0].id;
});

/** The endpoints that receive the event of a run. */
async function receivers(source?: { model: string; keyId: string | null }): Promise<string[]> {
  const event = await scene.context.database.transaction((queries) =>
    emitEvent(queries, {
      accountId: scene.account.accountId,
      type: "prediction.succeeded",
      subject: { predictionId: newId("prediction") },
      ...(source && { source }),
      object: {},
      retentionUntil: new Date(Date.now() + 60_000),
    }),
  );
  const { rows } = await scene.context.database.pool.query(
    "select endpoint_id from webhook_deliveries where event_id = $1",
    [event?.id],
  );
  return rows.map((row) => row.endpoint_id).sort();
}

test("an endpoint gets events of its chosen models and keys, and events that have neither", async () => {
  const all = (await scene.createEndpoint()).id;
  const ofModel = (await scene.createEndpoint(undefined, { models: ["acme/one", "acme/two"] })).id;
  const ofKey = (await scene.createEndpoint(undefined, { keys: [ownKey] })).id;
  const ofBoth = (await scene.createEndpoint(undefined, { models: ["acme/one"], keys: [ownKey] })).id;
  const sorted = (...ids: string[]) => ids.sort();
  expect(await receivers()).toEqual(sorted(all, ofModel, ofKey, ofBoth));
  expect(await receivers({ model: "acme/one", keyId: ownKey })).toEqual(sorted(all, ofModel, ofKey, ofBoth));
  expect(await receivers({ model: "acme/two", keyId: null })).toEqual(sorted(all, ofModel));
  expect(await receivers({ model: "other/one", keyId: ownKey })).toEqual(sorted(all, ofKey));
  const widened = await scene.call("PATCH", `/webhooks/endpoints/${ofBoth}`, { models: null });
  expect(widened.body).toMatchObject({ models: null, keys: [ownKey] });
  expect(await receivers({ model: "other/one", keyId: ownKey })).toEqual(sorted(all, ofKey, ofBoth));
});

test("a key of another account is refused like one that does not exist", async () => {
  const other = await scene.api.createAccount();
  const { rows } = await scene.context.database.pool.query("select id from api_keys where account_id = $1", [
    other.accountId,
  ]);
  const create = (keys: string[]) =>
    scene.call("POST", "/webhooks/endpoints", { url: `${scene.receiver.url}/hook`, keys });
  const foreign = await create([rows[0].id]);
  const unknown = await create(["key_01jd0000000000000000000001"]);
  expect(foreign.status).toBe(400);
  const message = ({ body }: typeof foreign) =>
    (body.error as { message: string }).message.replace(/key_\w+/, "key");
  expect(message(foreign)).toBe(message(unknown));
  expect((await create([])).status).toBe(400);
  expect((await create(Array.from({ length: 101 }, () => ownKey))).status).toBe(400);
});
