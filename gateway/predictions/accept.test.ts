import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("inputs of a prediction whose row meets a failure", () => {
  let gateway: TestGateway;
  let account: TestAccount;
  beforeAll(async () => {
    gateway = await startTestGateway();
    account = await gateway.createAccount();
    await gateway.attest(account, "adult", "portrait_rights");
  });
  afterAll(() => gateway.close());
  afterEach(() => void vi.restoreAllMocks());

  const create = () =>
    call(gateway, account.key, "POST", "/images/edits", {
      model: "svc/swap-1",
      person_rights_confirmed: true,
      image: [pixel, pixel],
    });

  /** Breaks statements of the pool that `matches`; `inserted` decides whether the insert happens all the same. */
  function breakStatements(matches: (text: string) => boolean, inserted: boolean): void {
    const { pool } = gateway.context.database;
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(pool, "query").mockImplementation((async (...args: unknown[]) => {
      const [first] = args;
      const text = typeof first === "string" ? first : (first as { text: string }).text;
      if (!matches(text)) return query(...args);
      if (inserted) await query(...args);
      throw new Error("Connection terminated unexpectedly");
    }) as typeof pool.query);
  }
  const isInsert = (text: string) => text.startsWith('insert into "predictions"');
  const isLookUp = (text: string) => /^select .* from "predictions" where "predictions"."id" = /.test(text);

  async function keptBy(act: () => Promise<unknown>): Promise<boolean[]> {
    const put = vi.spyOn(gateway.context.store, "put");
    await act();
    const keys = put.mock.calls.map(([key]) => key).filter((key) => key.startsWith("inputs/"));
    return Promise.all(keys.map(async (key) => (await gateway.context.store.head(key)) !== null));
  }

  it("are removed when it was not written", async () => {
    breakStatements(isInsert, false);
    const kept = await keptBy(async () => expect((await create()).status).toBeGreaterThanOrEqual(500));
    expect(kept).toEqual([false, false]);
  });

  it("stay when only the answer was lost, and the prediction is accepted", async () => {
    breakStatements(isInsert, true);
    const kept = await keptBy(async () => {
      const answer = await create();
      expect(answer.status).toBe(202);
      vi.mocked(gateway.context.database.pool.query).mockRestore();
      const { status } = await call(gateway, account.key, "GET", `/predictions/${answer.body.id}`);
      expect(status).toBe(200);
    });
    expect(kept).toEqual([true, true]);
  });

  it("stay when nobody can tell", async () => {
    breakStatements((text) => isInsert(text) || isLookUp(text), false);
    const kept = await keptBy(async () => expect((await create()).status).toBeGreaterThanOrEqual(500));
    expect(kept).toEqual([true, true]);
    expect(gateway.logLines.join()).toContain("inputs of a run that was not stored may remain");
  });
});
