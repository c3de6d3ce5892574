import { expect, test } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";
import { type Answer, answerOnce } from "./idempotency.ts";

let runs = 0;
const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

/** Requests an answer of this size with an `Idempotency-Key`. */
function ask(key: string, sizeBytes: number): Promise<Answer> {
  const request = {
    id: `req_${key}`,
    method: "POST",
    routeOptions: { url: "/v1/images/generations" },
    headers: { "idempotency-key": key },
  } as unknown as Parameters<typeof answerOnce>[1];
  const actor = { accountId: account.accountId } as Parameters<typeof answerOnce>[2];
  return answerOnce(gateway.context, request, actor, {}, async () => {
    runs += 1;
    return { status: 200, headers: { "content-type": "audio/wav" }, body: Buffer.alloc(sizeBytes) };
  });
}

test("an answer that is too large is not stored, and its operation does not run again", async () => {
  expect((await ask("huge", 17_000_000)).status).toBe(200);
  await expect(ask("huge", 17_000_000)).rejects.toMatchObject({ code: "payload_purged" });
  expect(runs).toBe(1);
});

test("an account's stored answers have a total limit; small ones too", async () => {
  await ask("first", 10_000_000);
  await gateway.context.database.pool.query(
    "update idempotency_keys set response_body = convert_to(repeat('x', 250000000), 'UTF8') where key = 'first'",
  );
  await ask("fits", 1_000_000);
  await ask("too-much", 10_000_000);
  const made = runs;
  expect((await ask("fits", 1_000_000)).headers["idempotent-replayed"]).toBe("true");
  await expect(ask("too-much", 10_000_000)).rejects.toMatchObject({ code: "payload_purged" });
  expect(runs).toBe(made);
  await ask("small", 1_000);
  expect((await ask("small", 1_000)).headers["idempotent-replayed"]).toBe("true");
  await gateway.context.database.pool.query(
    "update idempotency_keys set response_body = convert_to(repeat('x', 256000000), 'UTF8') where key = 'first'",
  );
  // Small answers are counted each time they add up to a megabyte.
  for (let at = 0; at < 20; at += 1) await ask(`small-${at}`, 60_000);
  await expect(ask("small-19", 60_000)).rejects.toMatchObject({ code: "payload_purged" });
  expect((await ask("small-0", 60_000)).headers["idempotent-replayed"]).toBe("true");
});
