import { readdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "#gateway/context.ts";
import { uploads } from "#gateway/database/schema.ts";
import { startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import { storeUpload } from "./store.ts";
import { png } from "./testing/upload.ts";

describe("a file that came inside a request", () => {
  let gateway: TestGateway;
  let account: TestAccount;
  beforeAll(async () => {
    gateway = await startTestGateway({ role: "api" });
    account = await gateway.createAccount();
  });
  afterAll(() => gateway.close());

  const objects = () =>
    readdirSync(path.join(gateway.context.config.dataDir, "files/objects"), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".bin"));
  const store = (context: Context) =>
    storeUpload(context, {
      accountId: account.accountId,
      stream: Readable.from([png]),
      filename: "a.png",
      param: "image",
    });
  type Row = typeof uploads.$inferInsert;
  /** The gateway with a database whose insert is `insert`. */
  const inserting = (insert: (row: Row) => Promise<unknown>, more: object = {}): Context => {
    const { database } = gateway.context;
    const queries = Object.assign(Object.create(database.queries), {
      insert: () => ({ values: insert }),
      ...more,
    });
    return { ...gateway.context, database: { ...database, queries } };
  };
  const refuse = () => {
    throw new Error("database away");
  };

  it("leaves no bytes when its row cannot be written", async () => {
    await expect(store(inserting(async () => refuse()))).rejects.toThrow("database away");
    expect(objects()).toEqual([]);
    await expect(store(inserting(async () => refuse(), { select: refuse }))).rejects.toThrow("database away");
    expect(objects()).toEqual([]);
  });

  it("keeps its bytes when the row was written and only the answer got lost", async () => {
    const written = inserting(async (row) => {
      await gateway.context.database.queries.insert(uploads).values(row);
      refuse();
    });
    await expect(store(written)).rejects.toThrow("database away");
    expect(objects()).toHaveLength(1);
  });
});
