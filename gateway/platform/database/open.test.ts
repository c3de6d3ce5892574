import { expect, it } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";

it("gives each test its own migrated database", async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await first.pool.query("insert into accounts (id, name) values ('acct_1', 'A')");
  const rows = async (database: typeof first) =>
    (await database.pool.query("select id from accounts")).rowCount;
  expect(await rows(first)).toBe(1);
  expect(await rows(second)).toBe(0);
  await Promise.all([first.close(), second.close()]);
});

it("calls a listener back with the payload of a notification", async () => {
  const database = await createTestDatabase();
  const heard = Promise.withResolvers<string>();
  await database.listen("predictions", heard.resolve);
  database.notify("predictions", "pred_1");
  expect(await heard.promise).toBe("pred_1");
  await database.close();
});
