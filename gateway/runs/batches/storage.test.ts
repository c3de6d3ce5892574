import { describe, expect, it, vi } from "vitest";
import { batchLimits } from "#contract/batches.ts";
import { newId } from "#contract/ids.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { accountStorage, batches } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { batchHistorySweep, batchInputSweep } from "./sweeps.ts";

const limitBytes = 1_000_000;
/** A thousand rows of 15 kB; about fifty of them are over the limit of this test. */
const rows = (count: number) =>
  Array.from({ length: count }, () => ({ prompt: "x".repeat(1_400), duration: 5 }));

describe("the storage of an account's batch rows", () => {
  const gateway = shared(() =>
    startTestGateway({ role: "api", storageBytesPerAccount: limitBytes, historyDays: 30 }),
  );
  const account = shared(() => gateway.createAccount());

  const create = (count: number) =>
    call(gateway, account.key, "POST", "/batches", { model: "svc/vid-t2v", rows: rows(count) });
  const stored = async () => {
    const [row] = await gateway.context.database.queries
      .select({ bytes: accountStorage.bytes })
      .from(accountStorage)
      .where(eq(accountStorage.accountId, account.accountId));
    return row?.bytes ?? 0;
  };

  it("counts towards its storage from arrival until removal, and is refused above the limit", async () => {
    const first = await create(300);
    expect(first.status).toBe(202);
    expect(await stored()).toBeGreaterThan(300 * 1_400);
    const refused = await create(500);
    expect(refused.status).toBe(413);
    expect(refused.body.error).toMatchObject({ code: "storage_limit_exceeded" });
    const { id } = first.body as { id: string };
    await call(gateway, account.key, "POST", `/batches/${id}/stop`);
    expect(await stored()).toBeGreaterThan(300 * 1_400);
    const { queries } = gateway.context.database;
    await queries.update(batches).set({ expiresAt: sql`now()` }).where(eq(batches.id, id));
    await batchInputSweep.run(gateway.context);
    expect(await stored()).toBe(0);
    expect((await create(500)).status).toBe(202);
  });

  it("is kept for a limited number of batches", async () => {
    const other = await gateway.createAccount();
    const { queries } = gateway.context.database;
    const made = (data: "there" | "removed", count: number) =>
      queries.insert(batches).values(
        Array.from({ length: count }, () => ({
          id: newId("batch"),
          accountId: other.accountId,
          model: "svc/vid-t2v",
          apiType: "video-generation" as const,
          billingUnit: "second" as const,
          status: "stopped" as const,
          concurrency: 1,
          columns: [],
          deadlineAt: new Date(),
          ...(data === "removed" && { dataRemovedAt: new Date() }),
        })),
      );
    await made("removed", 30);
    await made("there", batchLimits.maxWithData);
    const refused = await call(gateway, other.key, "POST", "/batches", {
      model: "svc/vid-t2v",
      rows: rows(1),
    });
    expect(refused.body.error).toMatchObject({ code: "too_many_batches" });
    await vi.waitFor(async () => {
      await batchHistorySweep.run(gateway.context);
      expect(await queries.$count(batches, eq(batches.accountId, other.accountId))).toBe(
        batchLimits.maxHistory,
      );
    });
  });
});
