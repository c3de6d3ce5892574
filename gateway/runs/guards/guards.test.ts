import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GuardQuestion } from "#contract/guards.ts";
import { newId } from "#contract/ids.ts";
import { signingKey, svcSignature } from "#gateway/events/webhooks/sign.ts";
import { png } from "#gateway/files/uploads/testing/upload.ts";
import {
  providerAt,
  testKeys,
  writeProvidersFile,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { guards } from "#gateway/platform/database/schema.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";
import { type Answer, startReceiver } from "#gateway/testing/receiver.ts";
import { wrongAnswers } from "./testing/wrong-answers.ts";

/*
 * Guards as their owners see them: one receiver plays a guard that allows, blocks, replaces, and one that fails
 * in every way.
 */

const scene = shared(async () => {
  Object.assign(process.env, testKeys);
  const upstream = await startUpstream((_, response) =>
    sendJson(response, {
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
  const authority = await makeAuthority(newFolder("guards"));
  const receiver = await startReceiver(authority.local);
  const providersFile = writeProvidersFile({
    providers: { acme: providerAt(upstream) },
    routes: [{ models: ["svc/chat-1"], provider: "acme", upstream_model: "m" }],
  });
  const gateway = await startTestGateway({ providersFile, webhooks: webhooksTo(receiver.port, authority) });
  const operator = await gateway.createAccount();
  return {
    ...{ upstream, authority, receiver, gateway, operator },
    async close() {
      await gateway.close();
      await receiver.close();
      await upstream.close();
    },
  };
});

let account: TestAccount;
beforeEach(async () => {
  account = await scene.gateway.createAccount();
  scene.receiver.answer(saying({ action: "allow" }));
  scene.receiver.received.length = 0;
  scene.upstream.seen.length = 0;
});
afterEach(() => call(scene.gateway, scene.operator.session, "DELETE", "/operator/guard"));

const saying =
  (verdict: object): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(verdict));
const owner = (method: string, path: string, body?: unknown) =>
  call(scene.gateway, account.session, method, path, body);
const setGuard = async (more: object = {}) => {
  const made = await owner("POST", "/account/guard", { url: `${scene.receiver.url}/guard`, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
};
const chat = (content = "Hello", headers = {}, more = {}) =>
  call(
    ...([scene.gateway, account.key, "POST", "/chat/completions"] as const),
    { model: "svc/chat-1", messages: [{ role: "user", content }], ...more },
    headers,
  );
const questions = () => scene.receiver.received.map(({ body }) => JSON.parse(body) as GuardQuestion);
const picture = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
const errorOf = ({ body }: Awaited<ReturnType<typeof call>>) =>
  body.error as { code: string; message: string };

describe("the settings", () => {
  it("are created once with a secret, changed, rotated and removed, each with a row in the audit log", async () => {
    const { secret, ...made } = await setGuard();
    expect(secret).toMatch(/^whsec_/);
    expect(made).toMatchObject({ stages: ["input"], on_error: "block", keys: null, gated_contents: false });
    expect(errorOf(await owner("POST", "/account/guard", { url: scene.receiver.url })).code).toBe(
      "guard_exists",
    );
    expect((await owner("GET", "/account/guard")).body).toEqual(made);
    const changed = await owner("PATCH", "/account/guard", { on_error: "allow", operations: ["embeddings"] });
    expect(changed.body).toMatchObject({ on_error: "allow", operations: ["embeddings"] });
    const rotated = await owner("POST", "/account/guard/rotate_secret");
    expect(rotated.body.previous_secrets).toMatchObject([{ hint: made.secret_hint }]);
    expect(rotated.body.secret).not.toBe(secret);
    expect((await owner("DELETE", "/account/guard")).body).toMatchObject({ deleted: true });
    expect(errorOf(await owner("GET", "/account/guard")).code).toBe("guard_not_found");
    const { data } = (await owner("GET", "/audit_logs")).body as { data: { action: string }[] };
    expect(data.map(({ action }) => action).filter((action) => action.startsWith("guard"))).toEqual([
      ...["guard.deleted", "guard.secret_rotated", "guard.updated", "guard.created"],
    ]);
    expect(JSON.stringify(data)).not.toContain(secret);
  });

  it.each([
    ["a private address", { url: "https://10.0.0.1/guard" }, "invalid_webhook_url"],
    ["no encryption", { url: "http://guard.example.com" }, "invalid_webhook_url"],
    ["a stage that does not exist", { stages: ["between"] }, "invalid_parameter"],
    ["a key that does not exist", { keys: ["key_01hf3a2zzzzzzzzzzzzzzzzzzz"] }, "invalid_parameter"],
    ["a model that does not exist", { models: ["svc/nothing"] }, "invalid_parameter"],
    ["an unknown name", { timeout: 10 }, "invalid_parameter"],
    ["what only operators may allow", { allow_private: true }, "invalid_parameter"],
  ])("refuse %s", async (_, more, code) => {
    const refused = await owner("POST", "/account/guard", { url: `${scene.receiver.url}/guard`, ...more });
    expect(errorOf(refused).code).toBe(code);
  });

  it("refuse the gateway's own address", async () => {
    const url = scene.gateway.url.replace("http:", "https:");
    expect(errorOf(await owner("POST", "/account/guard", { url })).message).toContain("own address");
  });

  it("name who answers for gated contents: whoever changed the address last", async () => {
    expect((await setGuard({ gated_contents: true })).answered_by).toBe(account.userId);
    const other = await scene.gateway.addMember(account, "owner");
    const elsewhere = { url: `${scene.receiver.url}/elsewhere` };
    const moved = await call(scene.gateway, other.session, "PATCH", "/account/guard", elsewhere);
    expect(moved.body.answered_by).toBe(other.userId);
    const stays = await owner("PATCH", "/account/guard", { ...elsewhere, on_error: "allow" });
    expect(stays.body.answered_by).toBe(other.userId);
  });

  it("turn the guard off: nothing but a test asks it until it is on again", async () => {
    await setGuard();
    scene.receiver.answer(saying({ action: "block", reason: "No." }));
    expect((await owner("PATCH", "/account/guard", { enabled: false })).body.enabled).toBe(false);
    expect((await chat()).status).toBe(200);
    expect((await owner("POST", "/account/guard/test")).body).toMatchObject({ result: "blocked" });
    await owner("PATCH", "/account/guard", { enabled: true });
    expect((await chat()).status).toBe(400);
  });

  it("are tested with a signed question that runs nothing", async () => {
    const { secret } = await setGuard();
    scene.receiver.answer(saying({ action: "block", reason: "Too polite." }));
    const tested = await owner("POST", "/account/guard/test");
    expect(tested.body).toMatchObject({ result: "blocked", reason: "Too polite." });
    expect(scene.upstream.seen).toEqual([]);
    const { headers, body } = await scene.receiver.next();
    const timestamp = Number(headers["webhook-timestamp"]);
    const keys = [signingKey(String(secret))];
    expect(headers["x-svc-signature"]).toBe(
      svcSignature({ eventId: String(headers["webhook-id"]), timestamp, body, keys }),
    );
    expect(questions()[0]).toMatchObject({ test: true, stage: "input" });
  });
});

describe("a guard", () => {
  it("that allows sees the input, the caller and the metadata, and the run proceeds", async () => {
    await setGuard();
    const answer = await chat("Hello", { "x-svc-metadata": '{"customer":"acme"}' });
    expect(answer.status).toBe(200);
    expect(questions()).toMatchObject([
      {
        ...{ operation: "chat-completions", model: "svc/chat-1", alias: null, files: [], test: false },
        request_id: answer.headers.get("x-request-id"),
        caller: { account_id: account.accountId, key_id: expect.stringMatching(/^key_/) },
        metadata: { customer: "acme" },
        input: { messages: [{ role: "user", content: "Hello" }] },
      },
    ]);
  });

  it("that blocks ends the run before anything is called, with its reason, and the log says so", async () => {
    await setGuard();
    scene.receiver.answer(saying({ action: "block", reason: "It asks for a recipe." }));
    const refused = await chat();
    expect(refused.status).toBe(400);
    expect(errorOf(refused)).toMatchObject({
      ...{ code: "content_blocked", message: expect.stringContaining("It asks for a recipe.") },
    });
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(scene.upstream.seen).toEqual([]);
    const logged = () => owner("GET", `/requests/${refused.headers.get("x-request-id")}`);
    await expect.poll(async () => (await logged()).status).toBe(200);
    expect((await logged()).body).toMatchObject({
      ...{ code: "content_blocked", guards: [{ of: "account", result: "blocked" }] },
    });
  });

  it("that replaces the input has that run, and answers a repeated request by what the caller sent", async () => {
    await setGuard();
    scene.receiver.answer(
      saying({ action: "replace", input: { messages: [{ role: "user", content: "Hello, [name]" }] } }),
    );
    const once = { "idempotency-key": "replaced-once" };
    const first = await chat("Hello, Ada", once);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const again = await chat("Hello, Ada", once);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(scene.upstream.seen.map((seen) => seen.json().messages)).toEqual([
      [{ role: "user", content: "Hello, [name]" }],
    ]);
    expect(questions()).toHaveLength(1);
    expect(errorOf(await chat("Hello, [name]", once)).code).toBe("idempotency_key_reused");
  });

  it("that replaces the input changes nothing of the request beside it, such as the form of its answer", async () => {
    await setGuard();
    scene.receiver.answer((received, response, request) => {
      const { input } = JSON.parse(received.body) as GuardQuestion;
      const more = { prompt: "An oak", metadata: { customer: "other" }, callback_url: "https://example.com" };
      saying({ action: "replace", input: { ...input, ...more } })(received, response, request);
    });
    const asked = { model: "svc/img-gen-a-1", prompt: "A pine", response_format: "b64_json" };
    const made = await call(scene.gateway, account.key, "POST", "/images/generations", asked);
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    expect(made.body.data).toMatchObject([{ b64_json: expect.any(String) }]);
    const logged = () => owner("GET", `/requests/${made.headers.get("x-request-id")}`);
    await expect.poll(async () => (await logged()).status).toBe(200);
    expect((await logged()).body).toMatchObject({ metadata: null, guards: [{ result: "replaced" }] });
  });

  it("that blocked frees the Idempotency-Key: the next try is asked again", async () => {
    await setGuard();
    const once = { "idempotency-key": "blocked-once" };
    scene.receiver.answer(saying({ action: "block" }));
    expect((await chat("Hello", once)).status).toBe(400);
    scene.receiver.answer(saying({ action: "allow" }));
    expect((await chat("Hello", once)).status).toBe(200);
  });

  it("is asked only about its operations, models and keys", async () => {
    const keys = (await owner("GET", "/keys")).body.data as { id: string }[];
    await setGuard({ except_keys: [keys[0]?.id] });
    expect((await chat()).status).toBe(200);
    await owner("PATCH", "/account/guard", { except_keys: [], models: ["svc/img-gen-b"] });
    expect((await chat()).status).toBe(200);
    await owner("PATCH", "/account/guard", { models: null, operations: ["image-generation"] });
    expect((await chat()).status).toBe(200);
    expect(questions()).toEqual([]);
    await owner("PATCH", "/account/guard", { operations: null });
    expect((await chat()).status).toBe(200);
    expect(questions()).toHaveLength(1);
  });

  it("sees the bytes of a picture at a short-lived address, and the run uses the same bytes", async () => {
    await setGuard();
    let seen = Buffer.alloc(0);
    scene.receiver.answer(async (received, response) => {
      const { files, input } = JSON.parse(received.body) as GuardQuestion;
      expect(input?.image).toBe(files[0]?.url);
      seen = Buffer.from(await (await fetch(files[0]?.url ?? "")).arrayBuffer());
      saying({ action: "allow" })(received, response, response.req);
    });
    const edit = { model: "svc/img-gen-a-1", prompt: "A pine", image: picture };
    const answer = await call(scene.gateway, account.key, "POST", "/images/edits", edit);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    expect(seen.equals(Buffer.from(png))).toBe(true);
    const [{ files }] = questions() as [GuardQuestion];
    expect(files).toMatchObject([{ path: "/image", kind: "image", content_type: "image/png" }]);
    expect((await fetch(files[0]?.url ?? "")).status).toBe(410);
  });

  it("replaces a prediction's input while it keeps the picture, and the prediction shows what ran", async () => {
    await setGuard();
    scene.receiver.answer((received, response, request) => {
      const { input } = JSON.parse(received.body) as GuardQuestion;
      saying({ action: "replace", input: { ...input, prompt: "An oak" } })(received, response, request);
    });
    const film = {
      model: "svc/vid-r2v",
      prompt: "A pine",
      duration: 2,
      media: [{ type: "first_frame", url: picture }],
    };
    const made = await call(scene.gateway, account.key, "POST", "/videos/generations", film);
    expect(made.status, JSON.stringify(made.body)).toBe(202);
    const read = async () => (await owner("GET", `/predictions/${made.body.id}`)).body;
    await expect.poll(async () => (await read()).status).toBe("succeeded");
    const { input } = await read();
    expect(input).toMatchObject({ prompt: "An oak", media: [{ type: "first_frame" }] });
    const [{ url }] = (input as { media: [{ url: string }] }).media;
    expect((await fetch(url)).status).toBe(200);
  });
});

describe("a guard that fails", () => {
  const failures: [string, Answer | null, RegExp][] = [
    ...wrongAnswers,
    [
      "replaces with what the schema forbids",
      saying({ action: "replace", input: { messages: 7 } }),
      /not accepted/,
    ],
    ["replaces with nothing", saying({ action: "replace" }), /not an object/],
    [
      "names another model",
      saying({ action: "replace", input: { model: "svc/chat-2", messages: [] } }),
      /another model/,
    ],
  ];

  it.each(failures)(
    "because it %s refuses the run, and lets it pass if its owner chose that",
    async (_, answer, reason) => {
      await setGuard();
      if (answer) scene.receiver.answer(answer);
      const refused = await chat();
      expect(refused.status).toBe(503);
      expect(errorOf(refused)).toMatchObject({
        code: "guard_unavailable",
        message: expect.stringMatching(reason),
      });
      expect(refused.headers.get("retry-after")).not.toBeNull();
      expect(scene.upstream.seen).toEqual([]);
      await owner("PATCH", "/account/guard", { on_error: "allow" });
      expect((await chat()).status).toBe(200);
    },
  );

  it("several times is left alone, and shows since when and why", async () => {
    await setGuard();
    scene.receiver.answer((_, response) => void response.writeHead(500).end());
    for (let at = 0; at < 6; at += 1) expect((await chat()).status).toBe(503);
    expect(questions()).toHaveLength(5);
    const failing = (await owner("GET", "/account/guard")).body;
    expect(failing).toMatchObject({
      ...{ failing_since: expect.any(String), last_error: expect.stringContaining("500") },
      last_error_codes: [{ code: "guard_status", values: { status: "500" } }],
    });
    expect((await owner("POST", "/account/guard/test")).body).toMatchObject({
      ...{ reason: failing.last_error, reason_codes: failing.last_error_codes },
    });
    await owner("PATCH", "/account/guard", { url: `${scene.receiver.url}/mended` });
    scene.receiver.answer(saying({ action: "allow" }));
    expect((await chat()).status).toBe(200);
  });

  it("by replacements that are not accepted is noticed once, and once more when it works again", async () => {
    await setGuard();
    const causes = async () => {
      const { queries } = scene.gateway.context.database;
      const { rows } = await queries.execute<{ cause: string }>(
        sql`select cause from notice_causes where account_id = ${account.accountId} order by id`,
      );
      return rows.map(({ cause }) => cause);
    };
    scene.receiver.answer(saying({ action: "replace", input: { messages: 7 } }));
    for (let at = 0; at < 6; at += 1) await chat();
    expect(questions()).toHaveLength(5);
    await expect.poll(causes).toEqual(["guard.failing"]);
    scene.receiver.answer(saying({ action: "allow" }));
    vi.setSystemTime(Date.now() + 31_000);
    try {
      expect((await chat()).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(causes).toEqual(["guard.failing", "guard.recovered"]);
  });

  it("because it runs a model itself with a key that is guarded ends, and works with one that is not", async () => {
    const { id, secret } = (
      await owner("POST", "/keys", { name: "of the guard", kind: "service", max_concurrency: 5 })
    ).body as { id: string; secret: string };
    await setGuard();
    scene.receiver.answer(async (received, response, request) => {
      await call(scene.gateway, secret, "POST", "/chat/completions", {
        ...{ model: "svc/chat-1", messages: [{ role: "user", content: "Is it kind?" }] },
      }).catch(() => undefined);
      saying({ action: "allow" })(received, response, request);
    });
    const ended = await chat();
    expect([200, 503]).toContain(ended.status);
    expect(questions().length).toBeLessThan(20);
    await owner("PATCH", "/account/guard", { except_keys: [id] });
    scene.receiver.received.length = 0;
    expect((await chat()).status).toBe(200);
    expect(questions()).toHaveLength(1);
  });
});

it("without extensions there are no guards and no rules for short keys", async () => {
  const bare = await startTestGateway({ extensions: false });
  const { accountId, session, key } = await bare.createAccount();
  for (const path of ["/account/guard", "/operator/guard", "/key_rules"])
    expect((await call(bare, session, "GET", path)).status).toBe(404);
  // One from before they were turned off is asked nothing.
  await bare.context.database.queries.insert(guards).values({
    ...{ id: newId("guard"), accountId, url: `${scene.receiver.url}/guard` },
    ...{ stages: ["input" as const], onError: "block" as const, secrets: [] },
  });
  const messages = [{ role: "user", content: "Hello" }];
  const body = { model: "svc/chat-1", messages };
  expect((await call(bare, key, "POST", "/chat/completions", body)).status).toBe(200);
  await bare.close();
});

it("who blocks often writes two rows of the audit log, not one for each run", async () => {
  await setGuard();
  scene.receiver.answer(saying({ action: "block", reason: "No." }));
  for (let at = 0; at < 3; at += 1) await chat();
  const rows = async () => (await owner("GET", "/audit_logs?action=guard.blocked")).body.data as object[];
  await expect.poll(async () => (await rows()).length).toBe(1);
  expect(await rows()).toMatchObject([
    { detail: { of: "account", stage: "input", model: "svc/chat-1", reason: "No." } },
  ]);
});

describe("the installation's guard", () => {
  it("that fails for one account is asked about others, and a 413 or a caller that leaves opens nothing", async () => {
    await call(scene.gateway, scene.operator.session, "POST", "/operator/guard", { url: scene.receiver.url });
    const other = await scene.gateway.createAccount();
    scene.receiver.answer((received, response, request) => {
      const { caller } = JSON.parse(received.body) as GuardQuestion;
      if (caller.account_id === other.accountId) saying({ action: "allow" })(received, response, request);
      else response.writeHead(500).end();
    });
    for (let at = 0; at < 6; at += 1) expect((await chat()).status).toBe(503);
    expect(questions()).toHaveLength(5);
    const body = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
    const asOther = (leaving?: AbortSignal) =>
      call(scene.gateway, other.key, "POST", "/chat/completions", body, {}, leaving);
    expect((await asOther()).status).toBe(200);
    scene.receiver.answer((_, response) => void response.writeHead(413).end());
    for (let at = 0; at < 7; at += 1)
      expect(errorOf(await asOther()).message).toContain("too large for it (413)");
    scene.receiver.answer(() => {});
    for (let at = 0; at < 6; at += 1) {
      const before = questions().length;
      const leaving = new AbortController();
      const left = asOther(leaving.signal).catch(() => null);
      await expect.poll(() => questions().length).toBe(before + 1);
      leaving.abort();
      await left;
    }
    scene.receiver.answer(saying({ action: "allow" }));
    expect((await asOther()).status).toBe(200);
  });

  it("is asked about every account's runs, at a private address, after the account's, whose input it sees", async () => {
    const { status } = await call(scene.gateway, scene.operator.session, "POST", "/operator/guard", {
      ...{ url: `${scene.receiver.url}/installation` },
    });
    expect(status).toBe(201);
    await setGuard();
    scene.receiver.answer((received, response, request) =>
      saying(
        received.path === "/guard"
          ? { action: "replace", input: { messages: [{ role: "user", content: "Replaced" }] } }
          : { action: "block", reason: "By the operator." },
      )(received, response, request),
    );
    const refused = await chat();
    expect(errorOf(refused).message).toContain("guard of this installation");
    expect(questions().map(({ input }) => input?.messages)).toEqual([
      [{ role: "user", content: "Hello" }],
      [{ role: "user", content: "Replaced" }],
    ]);
  });
});
