import { readdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { heldFiles } from "#gateway/database/schema.ts";
import { removeHeldFiles } from "#gateway/storage/held-files.ts";
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
  afterEach(() => void vi.restoreAllMocks());

  const objects = () =>
    readdirSync(path.join(gateway.context.config.dataDir, "files/objects"), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".bin"));
  const store = (isCut = () => false) =>
    storeUpload(gateway.context, {
      accountId: account.accountId,
      stream: Readable.from([png]),
      filename: "a.png",
      param: "image",
      isCut,
    });
  /** Breaks the transaction that writes the row; `written` decides whether it happens all the same. */
  const breakTransaction = (written: boolean) => {
    const { database } = gateway.context;
    const transaction = database.transaction.bind(database);
    vi.spyOn(database, "transaction").mockImplementation(async (run) => {
      if (written) await transaction(run);
      throw new Error("database away");
    });
  };
  const afterTheHour = async () => {
    await gateway.context.database.queries.update(heldFiles).set({ expiresAt: new Date(0) });
    await removeHeldFiles(gateway.context);
    return objects();
  };

  it("leaves no bytes when its row cannot be written", async () => {
    breakTransaction(false);
    await expect(store()).rejects.toThrow("database away");
    expect(objects()).toHaveLength(1);
    expect(await afterTheHour()).toEqual([]);
  });

  it("keeps its bytes when the row was written and only the answer got lost", async () => {
    breakTransaction(true);
    await expect(store()).rejects.toThrow("database away");
    expect(await afterTheHour()).toHaveLength(1);
  });

  it("stores nothing of a file whose end was cut off", async () => {
    const before = objects().length;
    await expect(store(() => true)).rejects.toMatchObject({ code: "input_too_large" });
    expect(objects()).toHaveLength(before);
  });
});
