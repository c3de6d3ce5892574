import { afterEach, describe, expect, it, vi } from "vitest";
import { reservedFileSweep } from "#gateway/files/storage/remove-files.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { reservedFiles } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const isLookUp = (text: string) => /^select .* from "predictions" where "predictions"."id" = /.test(text);

describe("inputs of a prediction when writing its row fails", () => {
  // Without a worker, because its transactions would break instead.
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const account = shared(() => gateway.createAccount("adult", "portrait_rights"));
  afterEach(() => void vi.restoreAllMocks());

  const create = () =>
    call(gateway, account.key, "POST", "/images/edits", {
      model: "svc/swap-1",
      person_rights_confirmed: true,
      image: [pixel, pixel],
    });

  /**
   * Breaks the connection during the transaction that writes the row; `written`: whether the transaction is
   * committed.
   */
  function breakTransaction(written: boolean): void {
    const { database } = gateway.context;
    const transaction = database.transaction.bind(database);
    const spy = vi.spyOn(database, "transaction");
    spy.mockImplementationOnce(transaction); // stored inputs are kept or removed correctly
    spy.mockImplementation(async (run) => {
      if (written) await transaction(run);
      throw new Error("Connection terminated unexpectedly");
    });
  }

  /** For each input that `act` stored: whether it still exists after unowned files have expired. */
  async function keptBy(act: () => Promise<unknown>): Promise<boolean[]> {
    const put = vi.spyOn(gateway.context.store, "put");
    await act();
    const keys = put.mock.calls.map(([key]) => key).filter((key) => key.startsWith("inputs/"));
    vi.restoreAllMocks();
    const stored = () =>
      Promise.all(keys.map(async (key) => (await gateway.context.store.head(key)) !== null));
    expect(await stored()).toEqual([true, true]);
    await gateway.context.database.queries.update(reservedFiles).set({ expiresAt: new Date(0) });
    await sweepAll(gateway.context, reservedFileSweep);
    return stored();
  }

  it("are removed when it was not written", async () => {
    breakTransaction(false);
    const kept = await keptBy(async () => expect((await create()).status).toBeGreaterThanOrEqual(500));
    expect(kept).toEqual([false, false]);
  });

  it("stay when the row was written and only its confirmation was lost, and the prediction is accepted", async () => {
    breakTransaction(true);
    const kept = await keptBy(async () => {
      const answer = await create();
      expect(answer.status).toBe(202);
      const { status } = await call(gateway, account.key, "GET", `/predictions/${answer.body.id}`);
      expect(status).toBe(200);
    });
    expect(kept).toEqual([true, true]);
  });

  it("stay when the row was written but that could not be checked", async () => {
    breakTransaction(true);
    const { pool } = gateway.context.database;
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(pool, "query").mockImplementation((async (...args: unknown[]) => {
      const [first] = args as [string | { text: string }];
      const text = typeof first === "string" ? first : first.text;
      if (isLookUp(text)) throw new Error("Connection terminated unexpectedly");
      return query(...args);
    }) as typeof pool.query);
    const kept = await keptBy(async () => expect((await create()).status).toBeGreaterThanOrEqual(500));
    expect(kept).toEqual([true, true]);
  });
});
