import { pino } from "pino";
import { expect, test } from "vitest";
import { newId } from "#contract/ids.ts";
import { createAccount } from "#gateway/access/accounts/account.ts";
import { createKey } from "#gateway/access/accounts/keys/create.ts";
import { openDistricts } from "#gateway/districts.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { buildServer } from "#gateway/server.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { testConfig } from "#gateway/testing/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { startOwnServer } from "#gateway/testing/own-server.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import { createEndpoint } from "../endpoints/create.ts";
import { deliveriesChannel, emitEvent } from "../events.ts";
import { startDeliveries } from "./start.ts";

test("without the database the process still stops in time, and clients get a 503 with Retry-After", async () => {
  const server = await startOwnServer();
  const authority = await makeAuthority(newFolder("authority"));
  const receiver = await startReceiver(authority.local);
  const hold = Promise.withResolvers<void>();
  receiver.answer((_request, response) => void hold.promise.then(() => response.writeHead(204).end()));
  const { webhooks } = testConfig();
  const config = testConfig({
    webhooks: {
      ...webhooks,
      ports: [receiver.port],
      allowCidrs: ["127.0.0.0/8"],
      caFile: authority.caFile,
    },
  });
  const log = pino({ level: "silent" });
  const database = await openDatabase({ ...config, databaseUrl: server.url }, log);
  const districts = await openDistricts({ config, log, database, telemetry: null });
  const { context } = districts;
  const app = await buildServer(districts);
  const worker = await startDeliveries(context);
  const owner = { name: "Away", email: "away@example.com", password: "correct-horse-battery" };
  const { accountId, secret } = await context.database.transaction(async (queries) => {
    const account = await createAccount(queries, owner);
    return { ...account, ...(await createKey(queries, account.accountId, { name: "test" }, null)) };
  });
  const actor = { accountId, kind: "key", id: "key_test", name: "test" } as never;
  await createEndpoint(context, { actor, ip: null, requestId: null }, { url: `${receiver.url}/hook` });
  await context.database.transaction((queries) =>
    emitEvent(queries, {
      accountId,
      type: "prediction.succeeded",
      subject: { predictionId: newId("prediction") },
      object: {},
      retentionUntil: new Date(Date.now() + 60_000),
    }),
  );
  context.database.notify(deliveriesChannel);
  await receiver.next();
  await app.inject({ url: "/v1/uploads", headers: { authorization: `Bearer ${secret}` } });
  await server.stop();

  const answer = await app.inject({ url: "/v1/uploads", headers: { authorization: `Bearer ${secret}` } });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ error: { code: "service_unavailable" } });
  expect(answer.headers).toHaveProperty("retry-after");
  expect(answer.headers).not.toHaveProperty("x-should-retry");
  hold.resolve();
  await worker.stop();
  await app.close();
  await districts.close();
  await receiver.close();
  await server.remove();
});
