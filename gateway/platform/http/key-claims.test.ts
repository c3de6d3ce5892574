import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { keyIn, providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { type OpenAiServer, startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal } from "#gateway/testing/gateway.ts";
import { answerOnce } from "./idempotency.ts";
import { createKeyClaims, type KeyClaims } from "./key-claims.ts";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
const video = { model: "svc/vid-t2v", prompt: "a kite", duration: 2 };
const renewAfter = 150;

let key = "";
let unanswered: Promise<unknown>;
const opened: KeyClaims[] = [];
let upstream: OpenAiServer;
const mapped = shared(async () => {
  upstream = await startOpenAiServer();
  return startMappedGateway({
    providers: { main: providerAt(upstream, { credentials: keyIn("us-virginia", "sg-singapore") }) },
    routes: [{ models: ["svc/chat-1"], provider: "main", upstream_model: "said" }],
  });
});
beforeEach((test) => {
  key = test.task.id;
});
afterAll(async () => {
  for (const claims of opened) claims.close();
  await upstream.close(); // Ends the request without an answer.
  await unanswered;
});

const pool = () => mapped.gateway.context.database.pool;
const post = (route: string, body: object) => mapped.post(route, body, { "idempotency-key": key });
/** Simulates that the process of the first request died 61 s ago. */
const lose = () =>
  pool().query("update idempotency_keys set claimed_until = now() - interval '1 s' where key = $1", [key]);
const claimedUntil = async () => {
  const { rows } = await pool().query<{ at: Date }>(
    "select claimed_until as at from idempotency_keys where key = $1",
    [key],
  );
  return rows[0]?.at.getTime() ?? 0;
};

/** The gateway's handling of a key, in a process that renews its claims quickly. */
function once(owner: string, produce: Parameters<typeof answerOnce>[4]) {
  const { context } = mapped.gateway;
  const claims = createKeyClaims(context.database, context.log, { renewAfter });
  opened.push(claims);
  const request = {
    id: owner,
    method: "POST",
    routeOptions: { url: "/v1/videos" },
    headers: { "idempotency-key": key },
  };
  const actor = { accountId: mapped.account.accountId } as Parameters<typeof answerOnce>[2];
  const answer = answerOnce(
    { ...context, claims },
    request as unknown as Parameters<typeof answerOnce>[1],
    actor,
    {},
    produce,
  );
  return { answer, claims };
}
const made = { status: 201, headers: {}, body: { made: true } };

it("does not rerun a chat for a day if its process died with it", async () => {
  upstream.trouble(/chat/, "silence");
  unanswered = post("/chat/completions", chat);
  const { json } = await upstream.next(/chat/);
  expect(json().model).toBe("said");
  expect(await post("/chat/completions", chat)).toMatchObject(refusal(409, "idempotency_in_progress"));
  await lose();
  expect(await post("/chat/completions", chat)).toMatchObject(refusal(502, "upstream_outcome_unknown"));
  const { rows } = await pool().query(
    "select expires_at > now() + interval '23 h' as lasts from idempotency_keys where key = $1",
    [key],
  );
  expect(rows).toEqual([{ lasts: true }]);
  expect(upstream.seen.filter((one) => /chat/.test(one.path))).toHaveLength(1);
});

it.each([
  ["prediction", "/videos", video],
  ["batch", "/batches", { model: "svc/chat-1", rows: [{ messages: chat.messages }] }],
])("returns the %s that a dead process had accepted", async (_, route, body) => {
  const first = await post(route, body);
  await pool().query("update idempotency_keys set response_status = null where key = $1", [key]);
  await lose();
  const again = await post(route, body);
  expect(again).toMatchObject({ status: 202, body: { id: first.body.id } });
});

it("runs a request again that a dead process had not accepted", async () => {
  await post("/videos", video);
  await pool().query(
    "update idempotency_keys set response_status = null, owner = 'req_of_another' where key = $1",
    [key],
  );
  expect(await post("/videos", video)).toMatchObject(refusal(409, "idempotency_in_progress"));
  await lose();
  const again = await post("/videos", video);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, null]);
});

it("renews the claim of a long request", async () => {
  const work = Promise.withResolvers<typeof made>();
  const { answer } = once("req_long", () => work.promise);
  await vi.waitFor(async () => expect(await claimedUntil()).toBeGreaterThan(0));
  const before = await claimedUntil();
  await vi.waitFor(async () => expect(await claimedUntil()).toBeGreaterThan(before));
  work.resolve(made);
  expect(await answer).toEqual(made);
});

it("lets only one of two requests write after the first was cut off from the database", async () => {
  const resume = Promise.withResolvers<void>();
  const writes: string[] = [];
  const { answer, claims } = once("req_cut_off", async (assertHeld) => {
    await resume.promise;
    await assertHeld();
    writes.push("first");
    return made;
  });
  await vi.waitFor(async () => expect(await claimedUntil()).toBeGreaterThan(0));
  claims.close();
  // On a busy machine the claim may have been renewed until just now.
  const closedAt = performance.now();
  await lose();
  const other = once("req_other", async (assertHeld) => {
    await assertHeld();
    writes.push("second");
    return made;
  });
  expect(await other.answer).toEqual(made);
  await vi.waitFor(() => expect(performance.now() - closedAt).toBeGreaterThan(renewAfter));
  resume.resolve();
  await expect(answer).rejects.toMatchObject({ code: "idempotency_in_progress" });
  expect(writes).toEqual(["second"]);
});

it("when the database is back, frees the key of a run that did not start", async () => {
  await pool().query(
    `create function away() returns trigger language plpgsql as $$ begin raise 'connection lost'; end $$;
     create trigger away before delete on idempotency_keys for each row execute function away()`,
  );
  const failed = once("req_failed", () => Promise.reject(new Error("no")));
  await expect(failed.answer).rejects.toThrow("no");
  expect(await claimedUntil()).toBeGreaterThan(0);
  await pool().query("drop trigger away on idempotency_keys");
  await vi.waitFor(async () => expect(await claimedUntil()).toBe(0));
});
