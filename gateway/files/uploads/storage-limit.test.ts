import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import type { Upload } from "#contract/upload.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts, uploads } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";
import { uploadSweep } from "./expire.ts";
import { announce, png, put, verify } from "./testing/upload.ts";

let account: TestAccount;
const gateway = shared(() => startTestGateway({ role: "api", storageBytesPerAccount: png.length * 3 + 1 }));

const create = (bytes = png.length) =>
  call(gateway, account.key, "POST", "/uploads", { content_type: "image/png", size_bytes: bytes });

/** Creates uploads until the limit is reached; returns them. */
async function fill(): Promise<Upload[]> {
  const made: Upload[] = [];
  for (;;) {
    const { status, body } = await create();
    if (status !== 201) return made;
    made.push(body as unknown as Upload);
  }
}

it("does not exceed the limit with parallel requests", async () => {
  account = await gateway.createAccount();
  const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  for (const { status, body } of answers.filter((answer) => answer.status !== 201))
    expect([status, body.error]).toMatchObject([413, { code: "storage_limit_exceeded" }]);
  expect((await create(1)).status).toBe(201);
  account = await gateway.createAccount();
  expect((await create()).status).toBe(201);
});

it("has the limit that an operator set for the account, from the next request on", async () => {
  const operator = await gateway.createAccount();
  const bearer = await gateway.createKey(operator.accountId, { scopes: ["operator"] });
  account = await gateway.createAccount();
  const limit = (storage_bytes: number | null) =>
    call(gateway, bearer, "PATCH", `/operator/accounts/${account.accountId}/limits`, {
      storage_bytes,
      reason: "needs more",
    });
  expect(await fill()).toHaveLength(3);
  expect((await limit(png.length * 5)).status).toBe(200);
  expect(await fill()).toHaveLength(2);
  expect((await limit(null)).status).toBe(200);
  expect((await create(1)).status).toBe(413);
});

it("frees the space of deleted, rejected and expired uploads", async () => {
  account = await gateway.createAccount();
  const [first, second, third] = (await fill()) as [Upload, Upload, Upload];
  await put(first);
  await verify(gateway, account.key, first.id);
  expect((await create()).status).toBe(413);
  expect((await call(gateway, account.key, "DELETE", `/uploads/${first.id}`)).status).toBe(200);
  expect(await fill()).toHaveLength(1);
  await put(second, Buffer.alloc(png.length));
  expect((await verify(gateway, account.key, second.id)).upload.status).toBe("rejected");
  expect(await fill()).toHaveLength(1);
  await gateway.context.database.queries
    .update(uploads)
    .set({ urlExpiresAt: new Date(0) })
    .where(eq(uploads.id, third.id));
  await sweepAll(gateway.context, uploadSweep);
  expect(await fill()).toHaveLength(1);
});

it("counts a second transfer of one upload in addition to the first", async () => {
  account = await gateway.createAccount();
  const [upload] = (await fill()) as [Upload];
  const url = new URL(upload.upload_url ?? "");
  const slow = connect(Number(url.port), url.hostname);
  await once(slow, "connect");
  slow.write(
    `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: ${png.length}\r\n\r\n`,
  );
  slow.write(png.subarray(0, 10));
  const { queries } = gateway.context.database;
  const isUnderWay = async () =>
    (await queries.select().from(uploads).where(eq(uploads.id, upload.id)))[0]?.storageKey !== null;
  while (!(await isUnderWay()));
  const second = await put(upload);
  expect(second.status).toBe(413);
  expect(await second.json()).toMatchObject({ error: { code: "storage_limit_exceeded" } });
  const answered = once(slow, "data");
  slow.write(png.subarray(10));
  expect(String(await answered)).toContain(" 200 ");
  slow.destroy();
});

it("does not prevent deleting an account", async () => {
  account = await gateway.createAccount();
  await announce(gateway, account.key);
  await gateway.context.database.queries.delete(accounts).where(eq(accounts.id, account.accountId));
  const left = await gateway.context.database.pool.query(
    "select 1 from account_storage where account_id = $1",
    [account.accountId],
  );
  expect(left.rows).toEqual([]);
});
